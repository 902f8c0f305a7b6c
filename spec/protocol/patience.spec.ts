import { describe, expect, it } from '@jest/globals';
import { asyncScheduler } from 'rxjs';
import { HttpError, NetworkError } from '../../src/errors/index.js';
import { NO_RETRY, Patience } from '../../src/protocol/patience.js';
import { marbles } from '../support/marbles.js';

const TERMS = { attempts: 2, firstMs: 100, maxMs: 1_000, random: () => 0 };

const busy = (status = 503, retryAfterMs?: number): HttpError => new HttpError(status, '', '', retryAfterMs);

/** How long it is to be waited after each of these, in ms; `undefined` where nothing is tried again. */
const waits = (patience: Patience, reasons: readonly unknown[]): (number | undefined)[] => {
  const waited: (number | undefined)[] = [];
  marbles(() => {
    reasons.forEach((reason, n) => {
      const began = asyncScheduler.now();
      patience.after(reason)?.subscribe(() => (waited[n] = asyncScheduler.now() - began));
    });
  });
  return reasons.map((_, n) => waited[n]);
};

describe('Patience', () => {
  it.each([429, 502, 503, 504])('bears with a server that answers %i, longer each time, and not for ever', (status) => {
    expect(waits(new Patience(TERMS), [busy(status), busy(status), busy(status)])).toEqual([100, 200, undefined]);
  });

  it.each([busy(500), busy(404), new NetworkError('https://a.example/', new Error('reset'), false), 'busy', undefined])(
    'bears with nothing else: %p',
    (reason) => {
      expect(new Patience(TERMS).after(reason)).toBeUndefined();
    },
  );

  it('waits as long as the server wants, up to the longest wait that is allowed', () => {
    expect(waits(new Patience(TERMS), [busy(503, 999), busy(503, 1_000)])).toEqual([999, 1_000]);
    expect(waits(new Patience(TERMS), [busy(503, 1_001)])).toEqual([undefined]);
  });

  it('tries nothing again where that is what is said', () => {
    expect(new Patience(NO_RETRY).after(busy())).toBeUndefined();
  });
});
