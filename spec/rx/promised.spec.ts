import { describe, expect, it } from '@jest/globals';
import { EMPTY, EmptyError, finalize, Observable, of, throwError } from 'rxjs';
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

  it('takes what makes the stream, too, and rejects with what that throws', async () => {
    await expect(promised(() => of(1))).resolves.toBe(1);
    const reason = new Error('no stream');
    const promise = promised((): never => {
      throw reason;
    });
    await expect(promise).rejects.toBe(reason);
  });

  it.each([
    ['a value', of(1)],
    ['an error', throwError(() => new Error('no'))],
    ['nothing', EMPTY],
  ])('tears everything down, each once, at the end with %s', async (_what, end$) => {
    const torn: string[] = [];
    const source$ = new Observable<number>((subscriber) => {
      subscriber.add({ unsubscribe: () => torn.push('first') });
      subscriber.add({ unsubscribe: () => torn.push('second') });
      subscriber.add(() => torn.push('third'));
      subscriber.add(undefined);
      end$.pipe(finalize(() => torn.push('source'))).subscribe(subscriber);
      subscriber.add({ unsubscribe: () => torn.push('late') });
    });
    await promised(source$).catch(() => undefined);
    expect(torn.sort()).toEqual(['first', 'late', 'second', 'source', 'third']);
  });

  it('keeps the first value of several', async () => {
    await expect(promised(of(1, 2))).resolves.toBe(1);
  });
});
