// One sample: one row with one client, in this process. Prints `{ value, wall?, note? }`, or `{ error }`, as a line of JSON.
import { ownChildren } from '../scripts/support/processes.mjs';
import { rowNamed } from './scenarios/index.mjs';

const [name, client, how] = process.argv.slice(2);

const report = (result) => process.stdout.write(`${JSON.stringify(result)}\n`);

/** Servers are waited for, so that their CPU time is known as that of this sample; one that will not end is killed. */
const reaped = async () => {
  for (let i = 0; i < 100 && (ownChildren()?.length ?? 0) > 0; i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const { pid, state } of ownChildren() ?? []) if (state !== 'Z') process.kill(pid, 'SIGKILL');
};

try {
  report(await rowNamed(name).run(client, { work: how === '--short' ? 'short' : 'whole' }));
} catch (error) {
  report({
    error: String(error?.message ?? error)
      .split('\n')[0]
      .slice(0, 200),
  });
}
await reaped();
process.exit(0);
