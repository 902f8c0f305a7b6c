// What is left on the heap, and on an abort signal, after many calls that each had a signal and a listener for progress.
import { getEventListeners, setMaxListeners } from 'node:events';
import { clientNamed } from '../clients/index.mjs';
import { drive, heap } from '../support/measure.mjs';

/** Every so many a call is given up at once, in the mixed row. */
const GIVEN_UP = 10;

const counts = { whole: 200_000, short: 50_000, smoke: 40 };

const run = async (client, kind, count) => {
  const { open } = await clientNamed(client);
  const reported = { seen: 0 };
  const onProgress = () => (reported.seen += 1);
  // This library has one listener for the progress of all calls; others take one with each.
  const opened = await open({ kind: 'stdio', era: 'legacy' }, client === 'rx-mcp' ? { onProgress } : undefined);
  const options = client === 'rx-mcp' ? (signal) => ({ signal }) : (signal) => ({ signal, onProgress });
  const shared = new AbortController();
  setMaxListeners(0, shared.signal); // as many as there are calls in flight are no leak
  const call = async (n) => {
    if (kind === 'cancelled' && n % GIVEN_UP === 0) {
      const own = new AbortController();
      const given = opened.call('hold', {}, options(own.signal));
      own.abort();
      await given.then(
        () => Promise.reject(new Error('a call that was given up was answered')),
        () => undefined,
      );
      return;
    }
    const { signal } = kind === 'fresh' || (kind === 'cancelled' && n % 2 === 0) ? new AbortController() : shared;
    await opened.call('notices', { count: 1 }, options(signal));
  };
  await drive(call, Math.min(20_000, count), 64);
  const before = await heap();
  await drive(call, count, 64);
  const grown = (await heap()) - before;
  const listeners = getEventListeners(shared.signal, 'abort').length;
  await opened.close();
  if (reported.seen === 0 && client === 'rx-mcp') throw new Error('no progress was seen');
  return { value: grown / 1_024, ...(listeners > 0 ? { note: `${listeners} listeners left` } : {}) };
};

const kinds = { fresh: 'a fresh signal each', shared: 'one shared signal', cancelled: 'one in ten given up' };

export const heapAfterCalls = Object.entries(kinds).map(([kind, title]) => ({
  name: `heap/after/${kind}`,
  title: `heap after 200 000 calls with signals and progress, ${title}`,
  unit: 'KB more',
  clients: ['rx-mcp', 'full-floor', 'official-2', 'official-1', 'ai-sdk'],
  nodeFlags: ['--expose-gc'],
  run: (client, { work }) => run(client, kind, counts[work]),
}));
