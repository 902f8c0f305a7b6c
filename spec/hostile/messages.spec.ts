// Messages beside the answer that nobody wants, over either wire.
import { describe, expect, jest } from '@jest/globals';
import { lastValueFrom } from 'rxjs';
import type { CacheStore, McpClient } from '../../src/index.js';
import { overHttp } from '../support/hostile/over-http.js';
import { overStdio } from '../support/hostile/over-stdio.js';
import { ANSWERED, fails, LOST, type Row, timesOut } from '../support/hostile/rows.js';

jest.setTimeout(60_000);

/** Calls `deed` so that its progress is told. */
const followed: NonNullable<Row['ask']> = (client, bound) =>
  new Promise((resolve, reject) => {
    client.callTool('deed', {}, { ...bound, observe: 'events' }).subscribe({
      next: (event) => {
        if (event.kind === 'result') resolve(event.result);
        if (event.kind === 'progress')
          expect([event.progress, event.total ?? 0].map(Number.isFinite)).toEqual([true, true]);
      },
      error: reject,
    });
  });

/** What a modern server asks is never answered; a legacy one is served. */
const asked = (server: string, legacy: Row['warns'] = []): readonly Row[] => [
  { server, outcome: ANSWERED, eras: ['modern'], warns: ['unexpected-request'] },
  { server, outcome: ANSWERED, eras: ['legacy'], warns: legacy },
];

/** Counts what is done at once. */
const counter = () => {
  let open = 0;
  let most = 0;
  const during = async <T>(value: T): Promise<T> => {
    open += 1;
    most = Math.max(most, open);
    await new Promise((resolve) => setImmediate(resolve));
    open -= 1;
    return value;
  };
  return { during, most: () => most };
};
const sampled = counter();
const stored = counter();

/** A store of results that others share, and that takes its time. */
const cache: CacheStore = {
  get: () => stored.during(undefined),
  set: () => stored.during(undefined),
  delete: () => stored.during(undefined),
};

/** Subscribes to what changes. */
const subscribed = {
  ask: (client: McpClient) => lastValueFrom(client.listen({ toolsListChanged: true })),
  outcome: fails('InvalidMessageError', { method: 'subscriptions/listen' }),
  eras: ['modern'],
} as const;

const ROWS: readonly Row[] = [
  { server: 'says junk before the answer', outcome: ANSWERED, warns: ['invalid-message'] },
  {
    server: 'says NaN where a result should be',
    ...timesOut('what is no JSON names no call'),
    onHttp: LOST,
    warns: ['invalid-message'],
  },
  { server: 'says 100 000 open brackets', outcome: ANSWERED, warns: ['invalid-message'] },
  { server: 'says 100 000 levels of lists', outcome: ANSWERED, warns: ['invalid-message'] },
  { server: 'says the answer in a batch', outcome: ANSWERED, warns: ['invalid-message'] },
  { server: 'says an empty batch', outcome: ANSWERED, warns: ['invalid-message'] },
  { server: 'says a batch in a batch', outcome: ANSWERED, warns: ['invalid-message'] },
  { server: 'says a batch of 10 001 messages', outcome: ANSWERED, warns: ['invalid-message'] },
  ...asked('asks for a method nobody has'),
  ...asked('asks with the id of the call it is to answer'),
  { server: 'asks with the id null', outcome: ANSWERED, warns: ['invalid-message'] },
  { server: 'asks for params that are a list', outcome: ANSWERED, warns: ['invalid-message'] },
  ...asked('asks for sampling without having been allowed'),
  ...asked('asks the same id twice'),
  ...asked('asks 1 000 times at once', ['too-many-requests']),
  {
    server: 'asks for sampling 90 times at once',
    outcome: ANSWERED,
    eras: ['legacy'],
    options: {
      onSample: () => sampled.during({ role: 'assistant', model: 'm', content: { type: 'text', text: 'x' } } as const),
    },
    check: () => expect(sampled.most()).toBe(16),
  },
  ...asked('asks by a method of a million letters'),
  ...asked('asks with an id of a million letters'),
  { server: 'answers an id of a million letters', outcome: ANSWERED, warns: ['unmatched-answer'] },
  ...asked('asks by the method __proto__'),
  { server: 'tells progress for a token that was never given', outcome: ANSWERED, ask: followed },
  { server: 'tells progress after the answer', outcome: ANSWERED, ask: followed },
  { server: 'tells progress that goes backwards', outcome: ANSWERED, ask: followed },
  { server: 'tells progress of no number', outcome: ANSWERED, ask: followed },
  { server: 'tells progress beyond all numbers', outcome: ANSWERED, ask: followed, warns: ['malformed-entry'] },
  {
    server: 'tells progress for ever',
    ...timesOut('progress resets the timeout of a call, but not its total', 300),
    ask: (client, { timeoutMs }) =>
      client.promises.callTool('deed', {}, { resetOnProgress: true, timeoutMs: 20_000, maxTotalMs: timeoutMs }),
  },
  { server: 'tells logs of no level and circular nonsense', outcome: ANSWERED },
  { server: 'tells that the call was cancelled', outcome: ANSWERED },
  { server: 'tells that what was never asked is cancelled', outcome: ANSWERED },
  { server: 'tells 5 000 changes of its list', outcome: ANSWERED },
  {
    server: 'tells of 6 000 resources that were updated',
    outcome: ANSWERED,
    options: { cache },
    check: () => expect(stored.most()).toBeLessThan(20),
  },
  { server: 'tells 2 000 changes before it has acknowledged that it will', ...subscribed },
  { server: 'tells 5 000 000 characters before it has acknowledged that it will', ...subscribed },
  { server: 'tells of subscriptions there are not', outcome: ANSWERED },
  { server: 'tells by a method that is a number', outcome: ANSWERED, warns: ['invalid-message'] },
  { server: 'tells by a method of a million letters', outcome: ANSWERED },
  { server: 'tells with params that are a list', outcome: ANSWERED, warns: ['invalid-message'] },
];

describe('a message on a line of stdout', () => overStdio(ROWS));
describe('a message as an event of a stream', () => overHttp(ROWS));
