// Subscriptions for hours of virtual time: lists and resources change each minute, and each hour the wire breaks.
import { defer, interval, Subscription } from 'rxjs';
import { census } from '../support/census.mjs';

const MINUTE_MS = 60_000;

/**
 * The heap in the middle of virtual time, which is one turn of the loop: what waits for a Promise would be kept until its end, however
 * many hours that are, so all of it is settled first. Undocumented, so it may be missing.
 */
const heapNow = () => {
  process._tickCallback?.();
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
};

/** The hour whose heap is compared with that of the last one: until then code is compiled, and what is called often compiled anew. */
const settledBy = (count) => Math.max(2, Math.floor(count / 2));

/** Lives through hours, and tells how large the heap was after {@link settledBy} and after the last of them. */
const hours = ({ fixtureServer, marbles }, era, count, ledger) => {
  const heaps = [];
  let lists = 0;
  let updates = 0;
  marbles(({ connect, at }) => {
    let server;
    // Each life of the wire has a server of its own: one keeps what it was told.
    const mcp = connect(() =>
      defer(() => {
        server = fixtureServer({ era });
        return server.connector();
      }),
    );
    const told = (what) => ({ error: (reason) => ledger.fault(`${era}: ${what}: ${reason}`) });
    const all = new Subscription();
    all.add(mcp.tools$.subscribe({ ...told('tools$'), next: () => (lists += 1) }));
    all.add(mcp.resources$.subscribe(told('resources$')));
    all.add(mcp.prompts$.subscribe(told('prompts$')));
    all.add(mcp.watchResource('fixture://text').subscribe({ ...told('a resource'), next: () => (updates += 1) }));
    all.add(
      interval(MINUTE_MS).subscribe({
        ...told('a minute'),
        next: (minute) => {
          server.show('echo', minute % 2 === 0);
          server.resource('fixture://text', { text: `minute ${minute}` });
          // One who comes and goes beside those who stay.
          mcp.toolChanges$.subscribe(told('toolChanges$')).unsubscribe();
        },
      }),
    );
    for (let hour = 1; hour <= count; hour += 1) {
      at(hour * 60 * MINUTE_MS + 1, () => {
        server.drop();
        if (hour === settledBy(count) || hour === count) heaps.push(heapNow());
      });
    }
    at(count * 60 * MINUTE_MS + 2, () => all.unsubscribe());
  });
  const least = count * 55;
  if (lists < least || updates < least)
    ledger.fault(`${era}: ${lists} lists and ${updates} resources in ${count} hours`);
  return heaps;
};

/** Runs something in a turn of its own: not in one of Promises, within which no others are settled. */
const inTurn = (work) =>
  new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
  });

/** `count` hours of each era. */
export const subscriptions = async (library, { count, signal, ledger }) => {
  for (const era of ['modern', 'legacy']) {
    await inTurn(() => hours(library, era, 3, ledger));
    const before = await census(signal);
    const [early, late] = await inTurn(() => hours(library, era, count, ledger));
    ledger.heap(`hour ${settledBy(count)} and hour ${count} of subscriptions, ${era}`, early, late);
    ledger.compare(`${count} hours of subscriptions, ${era}`, before, await census(signal, before));
  }
};
