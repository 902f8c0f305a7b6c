import type { LogMessage, Warning } from '../session/index.js';
import { jsonText, oneLine, textOf } from './text/clean.js';
import { cyan, dim, type Part, red, yellow } from './text/paint.js';

type Redact = (text: string) => string;

const SEVERE = new Set(['error', 'critical', 'alert', 'emergency']);

const levelPart = (level: string): Part => {
  const text = level.padEnd(7);
  if (SEVERE.has(level)) return red(text);
  if (level === 'warning') return yellow(text);
  return level === 'debug' ? dim(text) : cyan(text);
};

/** A value that a server logged: a text as it is, all else as JSON. */
const dataText = (data: unknown): string => (typeof data === 'string' ? data : jsonText(data));

/** A log message as a line. */
export const logParts = ({ level, logger, data }: LogMessage, redact: Redact): readonly Part[] => [
  levelPart(oneLine(textOf(level))),
  ' ',
  typeof logger === 'string' ? dim(`${oneLine(logger)}: `) : '',
  redact(oneLine(dataText(data))),
];

/** A line that a server's process wrote to stderr. */
export const stderrParts = (line: string, redact: Redact): readonly Part[] => [dim('stderr  '), redact(oneLine(line))];

/** What went wrong without failing a call. */
export const warningParts = ({ kind, message, detail }: Warning, redact: Redact): readonly Part[] => [
  yellow('warning '),
  redact(oneLine(`${kind}: ${message}`)),
  typeof detail === 'string' ? dim(` ${redact(oneLine(detail)).slice(0, 200)}`) : '',
];
