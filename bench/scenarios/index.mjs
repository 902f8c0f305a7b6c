// Every row there is. A scenario's file names its rows and says how one sample of them is taken; what it measures it
// loads when it runs, so that a sample of an import finds nothing loaded. A row is
//   { name, title, unit, yardstick?, clients, nodeFlags?, once?, timeless?, run(client, { work }) }
// and `run` resolves to `{ value, wall?, note? }`, per operation and in the unit of the row. `work` is how much is done: `whole`,
// `short` (a fraction, for a first look), or `smoke` (next to nothing, to see that it can be done). What
// is `timeless` is the same however busy the machine is; what is taken `once` is the same each time.
import { batches } from './batches.mjs';
import { bundles } from './bundles.mjs';
import { calls } from './calls.mjs';
import { connecting } from './connecting.mjs';
import { firstList } from './first-list.mjs';
import { heapAfterCalls } from './heap-after-calls.mjs';
import { heapInFlight } from './heap-in-flight.mjs';
import { httpCalls } from './http-calls.mjs';
import { idleClients } from './idle-clients.mjs';
import { imports } from './imports.mjs';
import { largeLines } from './large-lines.mjs';
import { manyServers } from './many-servers.mjs';
import { notices } from './notices.mjs';
import { packages } from './packages.mjs';
import { validation } from './validation.mjs';

export const rows = [
  ...calls,
  ...largeLines,
  ...notices,
  ...firstList,
  ...httpCalls,
  ...connecting,
  ...imports,
  ...bundles,
  ...packages,
  ...heapInFlight,
  ...heapAfterCalls,
  ...idleClients,
  ...batches,
  ...validation,
  ...manyServers,
];

/** The row of that name. */
export const rowNamed = (name) => {
  const row = rows.find((one) => one.name === name);
  if (row === undefined) throw new Error(`there is no row '${name}'`);
  return row;
};
