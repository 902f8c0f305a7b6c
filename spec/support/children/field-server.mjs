// A legacy server in newline JSON with one of the habits met in the field: `field-server.mjs <habit> [argument]`.
import { createInterface } from 'node:readline';

const [habit = '', argument = ''] = process.argv.slice(2);

process.stderr.write(`pid ${process.pid}\n`);

const schema = { type: 'object' };

const tools = () => {
  if (habit === 'crowd') {
    const description = 'd'.repeat(900);
    return Array.from({ length: Number(argument) }, (_, index) => ({
      name: `tool_${index}`,
      description,
      inputSchema: schema,
    }));
  }
  return [{ name: 'echo', inputSchema: schema }];
};

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'field', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: tools() }),
  'tools/call': ({ arguments: { text = '', size = 0 } = {} }) => ({
    content: [{ type: 'text', text: size > 0 ? 'x'.repeat(size) : text }],
  }),
};

/** Frames that are still to be written, a byte at a time. */
let queue = Buffer.alloc(0);
let drips = false;

const drip = () => {
  drips = queue.length > 0;
  if (!drips) return;
  process.stdout.write(queue.subarray(0, 1), () => setImmediate(drip));
  queue = queue.subarray(1);
};

const say = (message) => {
  const line = `${JSON.stringify(message)}\n`;
  if (habit !== 'drip') {
    process.stdout.write(line);
    return;
  }
  queue = Buffer.concat([queue, Buffer.from(line)]);
  if (!drips) drip();
};

const banner = (...lines) => {
  if (habit === 'banner') process.stdout.write(lines.map((line) => `${line}\n`).join(''));
};

banner('Welcome to field server 1.0!', '\u001b[32m✓\u001b[0m listening on stdio');

let calls = 0;

createInterface({ input: process.stdin }).on('line', (line) => {
  if (habit === 'silent') return;
  const { id, method, params } = JSON.parse(line);
  if (method === 'tools/call') calls += 1;
  if (habit === 'second' && calls === 2) {
    process.stderr.write('out of memory\n');
    process.exit(9);
  }
  if (id === undefined || (habit === 'mute' && method === 'tools/call')) return;
  banner(`[info] got ${method}`);
  const result = results[method]?.(params ?? {});
  say(
    result === undefined
      ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }
      : { jsonrpc: '2.0', id, result },
  );
});
