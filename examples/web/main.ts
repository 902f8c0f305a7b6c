// The page, and a server for it to talk to: `npm run demo:web`, or with `-- --port 4173 --server-port 4310`.
import { parseArgs } from 'node:util';
import { createServer } from 'vite';
import { DemoServer } from './server/demo-server.js';
import { webConfig } from './web-config.js';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '4173' }, 'server-port': { type: 'string', default: '0' } },
});

const demo = new DemoServer(Number(values['server-port']));
await demo.start();
const config = webConfig(demo.urls);
const page = await createServer({
  ...config,
  logLevel: 'warn',
  server: { ...config.server, port: Number(values.port) },
});
await page.listen();

console.log(`page:          ${page.resolvedUrls?.local[0] ?? 'nowhere'}`);
console.log(`modern server: ${demo.urls.modern}`);
console.log(`legacy server: ${demo.urls.legacy}`);
console.log('Ctrl-C ends all three.');

const end = async (): Promise<void> => {
  await Promise.all([page.close(), demo.close()]);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end());
