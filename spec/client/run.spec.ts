import { describe, expect, it } from '@jest/globals';
import { Subscriber } from 'rxjs';
import { InvalidMessageError, TimeoutError } from '../../src/errors/index.js';
import { type Limits } from '../../src/client/clocks.js';
import type { Operation } from '../../src/client/operation.js';
import { Run, type Runner } from '../../src/client/run.js';
import type { Life, Result } from '../../src/protocol/index.js';
import { legacyCodec } from '../../src/protocol/legacy.js';
import { modernCodec } from '../../src/protocol/modern.js';
import { Deadlines } from '../../src/rx/index.js';
import { Exchange, type ExchangeOwner } from '../../src/session/exchange.js';
import { marbles } from '../support/marbles.js';

const MODERN = modernCodec('2026-07-28', { clientInfo: { name: 'spec', version: '1' }, capabilities: {} });

/** A life of which only what a run looks at is there. */
const lifeWith = (codec: Life['agreement']['codec']): Life => ({ agreement: { codec } }) as unknown as Life;

const LIMITS: Limits = { timeoutMs: 50, maxTotalMs: 0 };

/** A run that is under way, and in `told` what its subscriber, its runner and the owner of its exchange have heard, in order. */
const started = ({ life = lifeWith(MODERN), ...more }: Partial<Operation> & { life?: Life } = {}) => {
  const told: unknown[][] = [];
  const runner: Runner = {
    failed: (_run, _life, reason, repeatable) => told.push(['failed', reason, repeatable]),
    asked: (_run, question) => told.push(['asked', question]),
    over: () => told.push(['over']),
  };
  const owner: ExchangeOwner = {
    forget: () => told.push(['forget']),
    giveUp: () => told.push(['giveUp']),
  };
  const operation: Operation = { method: 'tools/call', name: 'a tool', repeatable: () => false, ...more };
  const subscriber = new Subscriber<Result>({
    next: (value) => told.push(['next', value]),
    error: (reason: unknown) => told.push(['error', reason]),
    complete: () => told.push(['complete']),
  });
  const run = new Run(operation, subscriber, runner, new Deadlines(), LIMITS);
  subscriber.add(run);
  run.prepare(life, operation.method, true, undefined);
  const exchange = new Exchange(3, undefined, run, run, owner);
  run.begun(exchange);
  run.onSend(3);
  exchange.leave();
  return { told, run, exchange, subscriber };
};

describe('a run', () => {
  it('emits the decoded result, completes, and is over', () => {
    const { told, run, exchange } = started();
    exchange.succeed({ content: [] });
    expect(told).toEqual([['next', { resultType: 'complete', content: [] }], ['complete'], ['over']]);
    expect(run.answered).toBe(true);
  });

  it('says that the server asks something before it emits it', () => {
    const { told, exchange } = started();
    const question = { resultType: 'input_required', inputRequests: {} };
    exchange.succeed(question);
    expect(told.slice(0, 2)).toEqual([
      ['asked', question],
      ['next', question],
    ]);
  });

  it('errors with what is wrong with a result', () => {
    const { told, exchange } = started();
    exchange.succeed('nothing of the kind');
    expect(told).toEqual([
      ['error', new InvalidMessageError('tools/call', 3, 'the result is not an object')],
      ['over'],
    ]);
  });

  it('leaves what becomes of a failure to its runner', () => {
    const { told, run, exchange } = started();
    exchange.fail('a reason');
    expect(told).toEqual([['failed', 'a reason', true]]);
    expect(run.answered).toBe(true);
  });

  it('forgets the answer of an exchange when it goes on to another', () => {
    const { run, exchange } = started();
    exchange.fail('a reason');
    run.prepare(lifeWith(MODERN), 'tools/call', false, undefined);
    expect([run.answered, run.id]).toEqual([false, undefined]);
  });

  it('gives up what is under way, and then is over, when it is unsubscribed', () => {
    const { told, run, subscriber } = started();
    expect(run.wanted()).toBe(true);
    subscriber.unsubscribe();
    expect(told).toEqual([['giveUp'], ['over']]);
    expect(run.wanted()).toBe(false);
  });

  it('errors when its time is over, with the name of the call, its id and the length of time', () => {
    marbles(({ flush }) => {
      const { told } = started();
      flush();
      expect(told).toEqual([['error', new TimeoutError('tools/call', 3, 50)], ['giveUp'], ['over']]);
    });
  });

  it('leaves no clock running when it ends', () => {
    marbles(({ flush }) => {
      const { told, exchange } = started();
      exchange.succeed({});
      const seen = told.length;
      flush();
      expect(told).toHaveLength(seen);
    });
  });

  it('makes its params for the agreement at hand, with what the codec adds', () => {
    const legacy = lifeWith(legacyCodec('2025-11-25'));
    const given = started({ params: { a: 1 } });
    expect(given.run.encode(undefined)).toMatchObject({ a: 1, _meta: {} });
    const made = started({ life: legacy, params: ({ codec }) => ({ version: codec.version }) });
    expect(made.run.encode('token')).toEqual({ version: '2025-11-25', _meta: { progressToken: 'token' } });
  });
});
