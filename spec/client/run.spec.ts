import { describe, expect, it } from '@jest/globals';
import { defer, NEVER, of, Subject, Subscriber, throwError } from 'rxjs';
import { InvalidMessageError, TimeoutError } from '../../src/errors/index.js';
import { type Limits } from '../../src/client/clocks.js';
import type { Operation } from '../../src/client/operation.js';
import { Run, type Runner, type Turn } from '../../src/client/run.js';
import type { Life } from '../../src/protocol/index.js';
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
const started = ({
  life = lifeWith(MODERN),
  turn,
  ...more
}: Partial<Operation> & { life?: Life; turn?: Turn<unknown> } = {}) => {
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
  const subscriber = new Subscriber<unknown>({
    next: (value) => told.push(['next', value]),
    error: (reason: unknown) => told.push(['error', reason]),
    complete: () => told.push(['complete']),
  });
  const run = new Run(operation, subscriber, runner, new Deadlines(), LIMITS, turn);
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

describe('a run with a turn', () => {
  const thrower = (): never => {
    throw new Error('thrown');
  };
  const nowhere = (): undefined => undefined;

  it('emits what its result becomes', () => {
    const { told, exchange } = started({ turn: { result: ({ resultType }) => `${resultType}!`, error: nowhere } });
    exchange.succeed({});
    expect(told).toEqual([['next', 'complete!'], ['complete'], ['over']]);
  });

  it('goes on with the stream its result becomes, which begins before the run is over and ends the subscription', () => {
    const stream = new Subject<unknown>();
    const { told, exchange, subscriber } = started({
      turn: { result: () => defer(() => (told.push(['begun']), stream)), error: nowhere },
    });
    exchange.succeed({});
    stream.next(1);
    stream.complete();
    expect(told).toEqual([['begun'], ['over'], ['next', 1], ['complete']]);
    expect(subscriber.closed).toBe(true);
  });

  it('goes on with the stream its error leads to, and without one errors', () => {
    const led = started({ turn: { result: thrower, error: (reason) => of(`instead of ${String(reason)}`) } });
    led.run.error('it');
    expect(led.told.slice(0, 2)).toEqual([['next', 'instead of it'], ['complete']]);
    const plain = started({ turn: { result: thrower, error: nowhere } });
    plain.run.error('it');
    expect(plain.told[0]).toEqual(['error', 'it']);
  });

  it('errors with what its functions throw, and with the error of a stream, which leads nowhere else', () => {
    const error = (): never => thrower();
    const told = [
      started({ turn: { result: thrower, error: () => of('instead') } }),
      started({ turn: { result: () => throwError(() => new Error('thrown')), error: () => of('instead') } }),
    ].map((one) => {
      one.exchange.succeed({});
      return one.told[0];
    });
    const failed = started({ turn: { result: thrower, error } });
    failed.run.error('it');
    for (const first of [...told, failed.told[0]]) expect(first).toEqual(['error', new Error('thrown')]);
  });

  it('lets go of the stream when it is unsubscribed, and does not end twice', () => {
    const stream = new Subject<unknown>();
    const { told, exchange, subscriber } = started({ turn: { result: () => stream, error: nowhere } });
    exchange.succeed({});
    expect(stream.observed).toBe(true);
    subscriber.unsubscribe();
    expect(stream.observed).toBe(false);
    expect(told).toEqual([['over']]);
  });

  it('begins no stream for a subscriber that has left while it was asked for', () => {
    let begun = 0;
    const leave = () => {
      made.subscriber.unsubscribe();
      return defer(() => ((begun += 1), NEVER));
    };
    const made = started({ turn: { result: leave, error: leave } });
    made.exchange.succeed({});
    expect(begun).toBe(0);
    expect(made.told).toEqual([['over']]);
  });
});
