// A server whose tool `enter` must not run twice: each run is a line at the end of a file. `look` may run as often as it
// likes. The first run that the file beside it names is held, before or after its work, until the process is killed.
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const [form, ledger] = process.argv.slice(2);
const holding = `${ledger}.hold`;

const hold = async (what, moment) => {
  if (!existsSync(holding) || readFileSync(holding, 'utf8') !== `${what} ${moment}`) return;
  rmSync(holding);
  process.stderr.write(`held ${what}\n`);
  // It never ends by itself.
  await new Promise(() => undefined);
};

const createLedger = () => {
  const server = new McpServer({ name: 'ledger', version: '1.0.0' });
  const run =
    (work) =>
    async ({ what }) => {
      await hold(what, 'before');
      work(what);
      await hold(what, 'after');
      return { content: [{ type: 'text', text: `done: ${what}` }] };
    };
  const inputSchema = z.object({ what: z.string() });
  server.registerTool(
    'look',
    { inputSchema, annotations: { readOnlyHint: true, idempotentHint: true } },
    run(() => undefined),
  );
  server.registerTool(
    'enter',
    { inputSchema },
    run((what) => appendFileSync(ledger, `${what}\n`)),
  );
  return server;
};

serveStdio(() => createLedger(), { legacy: form === 'modern' ? 'reject' : 'serve' });
