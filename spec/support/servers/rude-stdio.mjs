// A legacy server, in newline JSON, whose every word is meant for the terminal and not for its reader.
import { createInterface } from 'node:readline';

const ESC = '\u001b';
/** Clears the screen, names the window, copies to the clipboard, hides what follows, rings, and turns the text around. */
const rude = (word) =>
  `${ESC}[2J${ESC}]0;owned\u0007${ESC}]52;c;b3duZWQ=${ESC}\\\u009b31m${word}${ESC}[8m\u0007\u007f\u0085\u202e\r`;

process.stderr.write(`${rude('stderr')}\n`);

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, prompts: {}, resources: {}, logging: {} },
    serverInfo: { name: rude('name'), version: rude('version') },
  }),
  ping: () => ({}),
  'logging/setLevel': () => ({}),
  'tools/list': () => ({
    tools: [
      {
        name: rude('tool'),
        description: rude('what it does'),
        inputSchema: {
          type: 'object',
          properties: { [rude('argument')]: { type: 'string', description: rude('it') } },
        },
      },
      { name: 'talk', inputSchema: { type: 'object' } },
      { name: 'refuse', inputSchema: { type: 'object' } },
      { name: 'break', inputSchema: { type: 'object' } },
    ],
  }),
  'prompts/list': () => ({
    prompts: [{ name: 'greet', description: rude('prompt'), arguments: [{ name: rude('who') }] }],
  }),
  'prompts/get': () => ({
    description: rude('greets'),
    messages: [{ role: rude('user'), content: { type: 'text', text: rude('hello') } }],
  }),
  'resources/list': () => ({ resources: [{ uri: 'rude://it', name: rude('resource'), mimeType: rude('text') }] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': () => ({
    contents: [
      { uri: rude('rude://it'), text: rude('contents') },
      { uri: rude('rude://it'), mimeType: rude('kind'), blob: 'AAAA' },
    ],
  }),
  'tools/call': ({ name, _meta }) => {
    say({
      method: 'notifications/message',
      params: { level: 'info', logger: rude('logger'), data: rude('logged') },
    });
    say({
      method: 'notifications/progress',
      params: { progressToken: _meta?.progressToken, progress: 1, total: 2, message: rude('half') },
    });
    return {
      content: [
        { type: 'text', text: rude('result') },
        { type: 'image', mimeType: rude('image/png'), data: 'AAAA' },
        { type: 'resource_link', uri: rude('rude://it'), name: rude('link') },
        { type: rude('unheard of'), what: rude('it') },
      ],
      isError: name === 'refuse',
    };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'tools/call' && params.name === 'break') say({ id, error: { code: -32000, message: rude('broken') } });
  else if (answers[method] === undefined) say({ id, error: { code: -32601, message: rude('unknown') } });
  else say({ id, result: answers[method](params) });
});
