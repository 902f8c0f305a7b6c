import { describe, expect, it } from '@jest/globals';
import { EMPTY, EmptyError, of, throwError } from 'rxjs';
import { promised } from '../../src/rx/index.js';

describe('promised', () => {
  it('resolves with the value', async () => {
    await expect(promised(of(1))).resolves.toBe(1);
    await expect(promised(of(undefined))).resolves.toBeUndefined();
  });

  it('rejects with the error', async () => {
    const reason = new Error('no');
    await expect(promised(throwError(() => reason))).rejects.toBe(reason);
  });

  it('rejects where there is no value', async () => {
    await expect(promised(EMPTY)).rejects.toBeInstanceOf(EmptyError);
  });
});
