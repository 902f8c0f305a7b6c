// A thread of Node: the client lives in it, and ends with it.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

if (isMainThread) {
  const [answer] = await once(new Worker(new URL(import.meta.url)), 'message');
  if (answer !== '3 loaves') throw new Error(`the thread answered ${answer}`);
  console.log('works');
} else {
  const { connectHttp } = await import('rx-mcp');
  const mcp = connectHttp({ url: process.env.SERVER });
  const { content } = await mcp.promises.callTool('bake', { loaves: 3 });
  await mcp.close();
  parentPort.postMessage(content[0].text);
}
