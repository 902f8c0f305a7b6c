// A server of a config, as a process: `stall-stdio.mjs <name> [tool …]`. Each of its tools answers with the name of the
// server, its own and the process. What STALL says, it does: `mute` never answers, `stubborn` neither answers nor ends, `broken` ends at once and says why.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const [name = 'stall', ...tools] = process.argv.slice(2);
const text = (words) => ({ content: [{ type: 'text', text: words }] });

const createStall = () => {
  const server = new McpServer({ name, version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
  const open = (tool) => server.registerTool(tool, {}, () => text(`${name} ${tool} ${process.pid}`));
  for (const tool of tools) open(tool);
  server.registerTool('open', { description: 'Opens one stall more' }, () => {
    open('late');
    return text('open');
  });
  server.registerTool('die', {}, () => process.exit(3));
  return server;
};

if (process.env['STALL'] === 'broken') {
  process.stderr.write(`pid ${process.pid}\nthe stall is broken\n`);
  process.exitCode = 4;
} else if (process.env['STALL'] === 'mute') {
  process.stdin.resume();
} else if (process.env['STALL'] === 'stubborn') {
  setInterval(() => undefined, 2 ** 30);
} else {
  serveStdio(createStall);
}
