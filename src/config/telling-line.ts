/** What Node, npm and others write behind or around what is wrong. */
const NOISE =
  /^(?:Node\.js v\S+|\s*at .+|\s*[\]{}^~,()[]+\s*|\s*(?:code|errno|syscall|requireStack|path|cause|digest)\s*:.*|Require stack:|\s*- \S+|npm (?:error|ERR!)\s*(?:A complete log of this run.*|code .*|errno .*|syscall .*|path .*)?|\s*)$/;

/** A line that names an error: `TypeError: …`, `Error [CODE]: …`, `foo.BarException: …`. */
const ERROR = /^\s*(?:Uncaught\s+)?(?:[\w$]+\.)*[A-Z]?\w*(?:Error|Exception|Exit)(?:\s+\[\w+\])?:\s*\S/;

/** A line of npm's that says what is wrong. */
const OF_NPM = /^npm (?:error|ERR!) (?!code |errno |syscall |path |A complete log)/;

/**
 * The line of a server's stderr that says most of why it ended: the last that names an error, else the first of npm's that says
 * what is wrong, else the last that is no stack frame, brace or version of Node; `''` where there is none at all.
 */
export const tellingLine = (lines: readonly string[]): string => {
  const last = (is: (line: string) => boolean): string | undefined => lines.filter(is).at(-1);
  const found =
    last((line) => ERROR.test(line)) ??
    lines.find((line) => OF_NPM.test(line)) ??
    last((line) => !NOISE.test(line)) ??
    last((line) => line.trim() !== '');
  return found?.trim() ?? '';
};
