// Calls on one connection, many at a time, in each of the ways in which one can be made.
import { lastValueFrom, map, mergeMap, range } from 'rxjs';
import { census } from '../support/census.mjs';
import { rawServer } from './library.mjs';

const AT_ONCE = 64;

const WAYS = [
  (mcp, args) => mcp.callTool('echo', args),
  (mcp, args, signal) => mcp.promises.callTool('echo', args, { signal }),
  (mcp, args) => mcp.callTool('echo', args, { observe: 'events' }),
];

const make = async (mcp, count, signal) => {
  let good = 0;
  const call = (n) => Promise.resolve(lastOf(WAYS[n % WAYS.length](mcp, { n }, signal))).then((result) => [n, result]);
  await lastValueFrom(
    range(0, count).pipe(
      mergeMap(call, AT_ONCE),
      map(([n, last]) => {
        if ((last.result ?? last).content[0].text === JSON.stringify({ n })) good += 1;
      }),
    ),
  );
  return good;
};

const lastOf = (answer) => (typeof answer.then === 'function' ? answer : lastValueFrom(answer));

/** `count` calls of each era. */
export const calls = async ({ connectStdio, EraCache }, { count, signal, ledger }) => {
  for (const era of ['modern', 'legacy']) {
    const mcp = connectStdio({
      ...rawServer(era),
      eraCache: new EraCache(),
      clientInfo: { name: 'rx-mcp-soak', version: '1.0.0' },
      onWarn: ({ kind, message }) => ledger.fault(`${era}: ${kind}: ${message}`),
    });
    await make(mcp, Math.min(count, 20_000), signal);
    const before = await census(signal);
    const good = await make(mcp, count, signal);
    if (good !== count) ledger.fault(`${era}: ${count} calls, ${good} good answers`);
    ledger.compare(`${count} calls, ${era}`, before, await census(signal, before));
    await mcp.close();
  }
};
