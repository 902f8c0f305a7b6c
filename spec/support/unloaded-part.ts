import { jest } from '@jest/globals';
import { AsyncSubject, firstValueFrom } from 'rxjs';
import { type Part, part } from '../../src/rx/index.js';

/**
 * Has a part behave as in a process that has not used it yet, until the mocks are restored: `arrive` has it loaded, and
 * `fail` has the loading fail.
 */
export const unloaded = <M>(known: Part<M>) => {
  const settled = new AsyncSubject<M>();
  const slow = part(() => firstValueFrom(settled));
  jest.spyOn(known, 'use').mockImplementation(slow.use);
  return {
    arrive: async (): Promise<void> => {
      const { loaded } = known;
      if (loaded === undefined) throw new Error('specs have their parts loaded: see spec/support/parts.ts');
      settled.next(loaded);
      settled.complete();
      await slow.load();
    },
    fail: async (reason: Error): Promise<void> => {
      settled.error(reason);
      await slow.load().catch(() => undefined);
    },
  };
};
