// What is left on the heap, and on an abort signal, after many calls that each had a signal and a listener for progress.
import { getEventListeners, setMaxListeners } from 'node:events';
import { clientNamed } from '../clients/index.mjs';
import { drive, heap } from '../support/measure.mjs';

/** Every so many a call is given up while it is in flight, in the mixed row. */
const GIVEN_UP = 10;

const counts = { whole: 200_000, short: 50_000, smoke: 40 };

const run = async (client, kind, count) => {
  const { open } = await clientNamed(client);
  const opened = await open({ kind: 'stdio', era: 'legacy' });
  let reports = 0;
  let seen = 0;
  let left = 0;
  const listenersOf = (signal) => getEventListeners(signal, 'abort').length;
  const optionsWith = (signal) => ({ signal, onProgress: () => (seen += 1) });
  const shared = new AbortController();
  setMaxListeners(0, shared.signal); // as many as there are calls in flight are no leak
  const givenUp = async () => {
    const own = new AbortController();
    const given = opened.call('hold', {}, optionsWith(own.signal));
    // What was asked after it is answered: it has reached the server.
    await opened.call('echo', {});
    own.abort();
    await given.then(
      () => Promise.reject(new Error('a call that was given up was answered')),
      () => undefined,
    );
    left += listenersOf(own.signal);
  };
  const call = async (n) => {
    if (kind === 'cancelled' && n % GIVEN_UP === 0) return givenUp();
    const fresh = kind === 'fresh' || (kind === 'cancelled' && n % 2 === 0);
    const { signal } = fresh ? new AbortController() : shared;
    reports += 1;
    await opened.call('notices', { count: 1 }, optionsWith(signal));
    if (fresh) left += listenersOf(signal);
  };
  await drive(call, Math.min(20_000, count), 64);
  const before = await heap();
  await drive(call, count, 64);
  const grown = (await heap()) - before;
  left += listenersOf(shared.signal);
  await opened.close();
  if (seen !== reports && client === 'rx-mcp') throw new Error(`${seen} of ${reports} reports came`);
  return { value: grown / 1_024, ...(left > 0 ? { note: `${left} listeners left` } : {}) };
};

const kinds = { fresh: 'a fresh signal each', shared: 'one shared signal', cancelled: 'one in ten given up in flight' };

export const heapAfterCalls = Object.entries(kinds).map(([kind, title]) => ({
  name: `heap/after/${kind}`,
  title: `heap after many calls with signals and progress, ${title}`,
  unit: 'KB more',
  clients: ['rx-mcp', 'full-floor', 'official-2', 'official-1', 'ai-sdk'],
  nodeFlags: ['--expose-gc'],
  timeless: true,
  run: (client, { work }) => run(client, kind, counts[work]),
}));
