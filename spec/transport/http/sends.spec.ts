import { describe, expect, it } from '@jest/globals';
import type { Subscriber } from 'rxjs';
import { TransportClosedError } from '../../../src/errors/index.js';
import { Sends } from '../../../src/transport/http/sends.js';
import { watch } from '../../support/client/watch.js';

describe('the messages of one transport', () => {
  it('are each sent once for every subscription, and not before', () => {
    const sends = new Sends();
    let sent = 0;
    const one$ = sends.one((subscriber) => {
      sent += 1;
      subscriber.complete();
    });
    expect(sent).toBe(0);
    watch(one$);
    expect(watch(one$).completed).toBe(true);
    expect(sent).toBe(2);
  });

  it('are out until they are done, or given up', () => {
    const sends = new Sends();
    expect(sends.any).toBe(false);
    let inner: Subscriber<never> | undefined;
    const done = sends.one((subscriber) => {
      inner = subscriber;
    });
    const [, left] = [watch(done), watch(sends.one(() => undefined))];
    left.subscription.unsubscribe();
    expect(sends.any).toBe(true);
    inner?.complete();
    expect(sends.any).toBe(false);
  });

  it('all fail with the reason of the end, those left or done apart', () => {
    const sends = new Sends();
    const [left, done, out, other] = [0, 1, 2, 3].map(() => {
      let inner: Subscriber<never> | undefined;
      const seen = watch(
        sends.one((subscriber) => {
          inner = subscriber;
        }),
      );
      return { seen, complete: () => inner?.complete() };
    });
    left?.seen.subscription.unsubscribe();
    done?.complete();
    const reason = new Error('over');
    expect(sends.over).toBe(false);
    sends.end(reason);
    expect(sends.over).toBe(true);
    expect([left, done, out, other].map((one) => one?.seen.error)).toEqual([undefined, undefined, reason, reason]);
  });

  it('may be spared at the end, and fail later', () => {
    const sends = new Sends();
    let spared: Subscriber<never> | undefined;
    const one = watch(
      sends.one((subscriber) => {
        spared = subscriber;
      }),
    );
    const other = watch(sends.one(() => undefined));
    sends.end('first', (subscriber) => subscriber === spared);
    expect([one.error, other.error, sends.over]).toEqual([undefined, 'first', true]);
    sends.end('second');
    expect([one.error, other.error]).toEqual(['second', 'first']);
  });

  it('may go on while nothing new is taken', () => {
    const sends = new Sends();
    const out = watch(sends.one(() => undefined));
    sends.refuse();
    expect(sends.over).toBe(true);
    expect(out.error).toBeUndefined();
    expect(watch(sends.one(() => undefined)).error).toBeInstanceOf(TransportClosedError);
  });

  it('are refused after the end, unsent', () => {
    const sends = new Sends();
    sends.end(new Error('over'));
    let sent = false;
    const seen = watch(
      sends.one(() => {
        sent = true;
      }),
    );
    expect(seen.error).toBeInstanceOf(TransportClosedError);
    expect(sent).toBe(false);
  });

  it('may be left or added to by those that hear of the end', () => {
    const sends = new Sends();
    const later: unknown[] = [];
    sends
      .one(() => undefined)
      .subscribe({
        error: () => {
          sends.one(() => undefined).subscribe({ error: (reason: unknown) => later.push(reason) });
        },
      });
    sends.end(new Error('over'));
    expect(later).toEqual([expect.any(TransportClosedError)]);
  });
});
