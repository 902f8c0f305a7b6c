/*
 * Uses a server by HTTP and one by stdio while no descriptor is left, and again when there are some, and prints how that ended:
 * `crowded.ts <url> <parameters as JSON>`. Its limit on descriptors is to be a small one.
 */
import { closeSync, openSync } from 'node:fs';
import { connectStdio } from '../../../src/bridge/stdio.js';
import { connectHttp } from '../../../src/index.js';
import type { StdioParameters } from '../../../src/transport/stdio/index.js';

const [url = '', given = '{}'] = process.argv.slice(2);
const parameters = JSON.parse(given) as StdioParameters;
const http = connectHttp({ url, retry: { attempts: 0 } });
const stdio = connectStdio(parameters);

const endOf = (call: Promise<unknown>): Promise<object> =>
  call.then(
    () => ({}),
    (reason: Error) => ({ name: reason.name, message: reason.message, left: (reason as { left?: boolean }).left }),
  );

// Everything that is loaded on first use is there before there is no room for it.
await http.promises.callTool('pay');
const first = connectStdio(parameters);
await first.promises.callTool('echo');
await first.close();

const held: number[] = [];
for (;;) {
  try {
    held.push(openSync('/dev/null', 'r'));
  } catch {
    break;
  }
}
// The connections that are there are busy with the first of these, and the others want some of their own.
const crowded = await Promise.all(Array.from({ length: 8 }, () => endOf(http.promises.callTool('pay'))));
const spawned = await endOf(stdio.promises.callTool('echo'));
for (const descriptor of held) closeSync(descriptor);
const afterwards = await Promise.all([
  endOf(http.promises.callTool('pay')),
  endOf(http.promises.callTool('pay')),
  endOf(stdio.promises.callTool('echo')),
]);
process.stdout.write(`${JSON.stringify({ crowded, spawned, afterwards })}\n`);
await http.close();
await stdio.close();
