import { describe, expect, it, jest } from '@jest/globals';
import { Subscription } from 'rxjs';
import { Lingering } from '../../../src/transport/http/lingering.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';

describe('exchanges that have brought their answer', () => {
  it('have a second to end by themselves', () => {
    inVirtualTime(({ at }) => {
      const lingering = new Lingering();
      const exchange = new Subscription();
      lingering.add(exchange);
      at(999, () => expect(exchange.closed).toBe(false));
      at(1_001, () => expect(exchange.closed).toBe(true));
    });
  });

  it('that end earlier leave one timer behind, until the transport ends', () => {
    jest.useFakeTimers();
    try {
      const lingering = new Lingering();
      for (let i = 0; i < 3; i += 1) {
        const exchange = new Subscription();
        lingering.add(exchange);
        exchange.unsubscribe();
      }
      expect(jest.getTimerCount()).toBe(1);
      lingering.end();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('are all hung up at once where the transport ends', () => {
    const lingering = new Lingering();
    const exchanges = [new Subscription(), new Subscription()];
    for (const exchange of exchanges) lingering.add(exchange);
    lingering.end();
    expect(exchanges.map(({ closed }) => closed)).toEqual([true, true]);
  });

  it('are let go of when they have ended', () => {
    const lingering = new Lingering();
    const exchange = new Subscription();
    lingering.add(exchange);
    exchange.unsubscribe();
    const unsubscribe = jest.spyOn(exchange, 'unsubscribe');
    lingering.end();
    expect(unsubscribe).not.toHaveBeenCalled();
  });

  it('are none where the exchange is over already', () => {
    const lingering = new Lingering();
    lingering.add(Subscription.EMPTY);
    lingering.end();
    expect(Subscription.EMPTY.closed).toBe(true);
  });
});
