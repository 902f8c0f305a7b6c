// A legacy server, in newline JSON, that declares prompts and resources, and refuses to list them: some published ones do.
import { createInterface } from 'node:readline';

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: 'boastful', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [{ name: 'work', inputSchema: { type: 'object' } }] }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'boast://{what}', name: 'boast' }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = Object.hasOwn(answers, method)
    ? { result: answers[method](params) }
    : { error: { code: -32603, message: `no ${method} with ${process.env.A_TOKEN ?? 'nothing'}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
