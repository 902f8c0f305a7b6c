import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, of, throwError } from 'rxjs';
import { TransportError } from '../../src/errors/index.js';
import { part } from '../../src/rx/index.js';

/** A part that loads as it is told, one answer for each time. */
const partOf = (...answers: readonly (() => Promise<string>)[]) => {
  let times = 0;
  const made = part(() => {
    const answer = answers[times];
    times += 1;
    return answer === undefined ? Promise.reject(new Error('asked once more')) : answer();
  });
  return { made, times: () => times };
};

const loads = () => Promise.resolve('part');
const fails = () => Promise.reject(new Error('offline'));

describe('a part', () => {
  it('is not loaded before it is used, and once for all who use it', async () => {
    const { made, times } = partOf(loads);
    const use$ = made.use((module) => of(`${module}!`));
    expect(times()).toBe(0);
    expect(made.loaded).toBeUndefined();
    expect(await Promise.all([lastValueFrom(use$), lastValueFrom(use$)])).toEqual(['part!', 'part!']);
    expect(times()).toBe(1);
    expect(made.loaded).toBe('part');
  });

  it('is used at once when it is there', async () => {
    const { made } = partOf(loads);
    await made.load();
    const seen: string[] = [];
    made.use((module) => of(module)).subscribe({ next: (value) => seen.push(value), complete: () => seen.push('|') });
    expect(seen).toEqual(['part', '|']);
  });

  it('that cannot be loaded is a typed error of who asked, and the next one tries again', async () => {
    const { made, times } = partOf(fails, loads);
    const both = await Promise.allSettled([1, 2].map(() => lastValueFrom(made.use((module) => of(module)))));
    for (const one of both) {
      expect(one).toMatchObject({
        status: 'rejected',
        reason: { name: 'TransportError', cause: new Error('offline') },
      });
      expect(one.status === 'rejected' && one.reason instanceof TransportError).toBe(true);
    }
    expect(times()).toBe(1);
    expect(await lastValueFrom(made.use((module) => of(module)))).toBe('part');
  });

  it('is given to nobody who has left meanwhile', async () => {
    const { made } = partOf(loads);
    const used: string[] = [];
    const use$ = made.use((module) => {
      used.push(module);
      return of(module);
    });
    use$.subscribe({ error: () => undefined }).unsubscribe();
    await made.load();
    expect(used).toEqual([]);
  });

  it('passes on what is wrong with the work, and what it throws', async () => {
    const { made } = partOf(loads);
    await expect(lastValueFrom(made.use(() => throwError(() => 'wrong')))).rejects.toBe('wrong');
    const thrown = made.use(() => {
      throw new Error('thrown');
    });
    await expect(lastValueFrom(thrown)).rejects.toThrow('thrown');
  });
});
