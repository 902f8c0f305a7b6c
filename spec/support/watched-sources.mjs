// A few sources tell the specs what they have made, where somebody listens: without it every file of specs would have to load
// all of them to find out.

/** The parts of the library that are loaded on first use: each is put into the list `globalThis.__rxMcpParts__`. */
const KEPT_PARTS = `
export const part = (load) => {
  const made = keptPart(load);
  globalThis.__rxMcpParts__?.push(made);
  return made;
};
`;

const PART_FILE = /[/\\]src[/\\]rx[/\\]part\.ts$/;
/** Those that write to a wire; what is put around one only hands on. */
const TRANSPORT_FILE = /[/\\]src[/\\](?:transport[/\\]\w+|testing)[/\\][\w-]+-transport\.ts$/;
const TRANSPORT = /^export class (\w+Transport) /gm;

/** The text of a source, which tells what it has made: parts as above, and classes of transports to `globalThis.__rxMcpTransports__`. */
export const watchedSource = (text, path) => {
  if (PART_FILE.test(path)) return text.replace('export const part =', 'const keptPart =') + KEPT_PARTS;
  if (!TRANSPORT_FILE.test(path)) return text;
  const names = [...text.matchAll(TRANSPORT)].map(([, name]) => name);
  return text + names.map((name) => `\nglobalThis.__rxMcpTransports__?.('${name}', ${name}.prototype);`).join('');
};
