import { describe, expect, it } from '@jest/globals';
import { Subject, throwError } from 'rxjs';
import { quietly } from '../../src/rx/index.js';

describe('quietly()', () => {
  it.each<readonly [string, () => unknown]>([
    ['a value', () => 'done'],
    ['a Promise that is rejected', () => Promise.reject(new Error('no'))],
    ['an Observable that errors', () => throwError(() => new Error('no'))],
    [
      'what it throws',
      () => {
        throw new Error('no');
      },
    ],
  ])('has it done once, and nobody hears of %s', async (_what, answer) => {
    let done = 0;
    quietly(() => {
      done += 1;
      return answer();
    });
    // A rejection nobody heard would end this process when the turn is over.
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toBe(1);
  });

  it('subscribes to an Observable, which may take its time', () => {
    const subject = new Subject<unknown>();
    quietly(() => subject);
    expect(subject.observed).toBe(true);
  });
});
