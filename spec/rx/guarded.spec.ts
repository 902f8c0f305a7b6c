import { describe, expect, it, jest } from '@jest/globals';
import { guarded } from '../../src/rx/index.js';

describe('guarded', () => {
  it('hands the argument to the callback, within the call', () => {
    const callback = jest.fn();
    const onThrow = jest.fn();
    guarded(callback, 7, onThrow);
    expect(callback).toHaveBeenCalledWith(7);
    expect(onThrow).not.toHaveBeenCalled();
  });

  it.each([new Error('x'), 'text', undefined, null])('lets nothing out that the callback throws: %p', (thrown) => {
    const onThrow = jest.fn();
    guarded(
      () => {
        throw thrown;
      },
      0,
      onThrow,
    );
    expect(onThrow.mock.calls).toEqual([[thrown]]);
  });

  it('hears of a callback that is async and rejects', async () => {
    const reason = await new Promise((resolve) => {
      guarded(async () => Promise.reject(new Error('later')), 0, resolve);
    });
    expect(reason).toEqual(new Error('later'));
  });

  it('says nothing of an async callback that resolves', async () => {
    const onThrow = jest.fn();
    let work: Promise<number> = Promise.resolve(0);
    guarded(
      () => {
        work = Promise.resolve(1);
        return work;
      },
      0,
      onThrow,
    );
    await work;
    expect(onThrow).not.toHaveBeenCalled();
  });
});
