import { describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import { TransportError } from '../../src/errors/index.js';
import { type Asker, type CallSpec, Exchange, type ExchangeOwner } from '../../src/session/exchange.js';

/** An exchange, and in `told` what its asker and its owner have heard, in order. */
const exchange = (more: Partial<CallSpec> = {}) => {
  const told: unknown[][] = [];
  const asker: Asker = {
    begun: () => told.push(['begun']),
    succeed: (result) => told.push(['succeed', result]),
    fail: (reason) => told.push(['fail', reason]),
  };
  const owner: ExchangeOwner = {
    forget: (one) => told.push(['forget', one.id]),
    giveUp: (one) => told.push(['giveUp', one.id]),
  };
  const spec: CallSpec = { method: 'x-test/call', encode: () => undefined, ...more };
  return { told, made: new Exchange(7, 'token', spec, asker, owner) };
};

describe('an exchange', () => {
  it('is found by what its call says of itself', () => {
    const onProgress = (): void => undefined;
    const onLog = (): void => undefined;
    const onNotice = (): void => undefined;
    const { made } = exchange({ name: 'a tool', toolCallId: 'call 1', onProgress, onLog, onNotice });
    expect(made).toMatchObject({ id: 7, progressToken: 'token', method: 'x-test/call', name: 'a tool' });
    expect([made.toolCallId, made.progress, made.log, made.notice]).toEqual(['call 1', onProgress, onLog, onNotice]);
  });

  it.each(['succeed', 'fail'] as const)('tells its end once, where it is told to %s first', (how) => {
    const { told, made } = exchange();
    expect(made.over).toBe(false);
    made[how]('first');
    made.succeed('later');
    made.fail('later');
    made.error(new TransportError('later'));
    made.unsubscribe();
    expect(made.over).toBe(true);
    expect(told).toEqual([[how, 'first']]);
  });

  it('is forgotten where it is given up before it has left, and given up where it has', () => {
    const stayed = exchange();
    stayed.made.unsubscribe();
    stayed.made.unsubscribe();
    stayed.made.succeed('too late');
    expect(stayed.told).toEqual([['forget', 7]]);

    const gone = exchange();
    gone.made.leave();
    gone.made.unsubscribe();
    gone.made.unsubscribe();
    gone.made.fail('too late');
    expect(gone.told).toEqual([['giveUp', 7]]);
  });

  it('is forgotten, and fails, where it could not be sent', () => {
    const { told, made } = exchange();
    const reason = new TransportError('broken');
    made.error(reason);
    expect(told).toEqual([
      ['forget', 7],
      ['fail', reason],
    ]);
  });

  it('fails with an error of this library, whatever the transport errors with', () => {
    const { told, made } = exchange();
    made.error(new Error('foreign'));
    expect(told[1]?.[1]).toBeInstanceOf(TransportError);
  });

  it.each(['succeed', 'fail', 'unsubscribe'] as const)('lets go of its sending when it ends by %s', (how) => {
    const { made } = exchange();
    const sending = new Subject<never>();
    made.hold(sending.subscribe(made));
    expect(sending.observed).toBe(true);
    made[how](undefined);
    expect(sending.observed).toBe(false);
  });

  it('lets go of a sending it is given after its end, which may come inside the sending', () => {
    const { made } = exchange();
    made.succeed('at once');
    const sending = new Subject<never>();
    made.hold(sending.subscribe(made));
    expect(sending.observed).toBe(false);
  });

  it('waits for its answer after it was sent', () => {
    const { told, made } = exchange();
    const sending = new Subject<never>();
    made.leave();
    made.hold(sending.subscribe(made));
    sending.complete();
    expect(told).toEqual([]);
    made.succeed('an answer');
    expect(told).toEqual([['succeed', 'an answer']]);
  });
});
