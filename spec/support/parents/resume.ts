// Carries on with calls that another process began: for each line of stdin, `{ server, suspended, answers }` as JSON,
// it starts that server anew, resumes the call, and writes what it emits as a line of JSON.
import { createInterface } from 'node:readline';
import { connectStdio } from '../../../src/bridge/stdio.js';
import type { SuspendedCall } from '../../../src/index.js';

interface Task {
  readonly server: { readonly command: string; readonly args: readonly string[] };
  readonly suspended: SuspendedCall;
  readonly answers: Readonly<Record<string, unknown>>;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { server, suspended, answers } = JSON.parse(line) as Task;
  const mcp = connectStdio({
    ...server,
    capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
  });
  const outcome = await mcp.promises.resume(suspended, answers).catch((reason: Error) => ({ error: reason.name }));
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
  await mcp.close();
}
