import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { NEVER, of } from 'rxjs';
import type { HttpResponse } from '../../../src/transport/http/engine.js';
import { overRefusals, refusals } from '../../../src/transport/http/refused.js';
import { unloaded } from '../../support/unloaded-part.js';

const answer = (): HttpResponse & { readonly discard: jest.Mock } => ({
  url: 'http://127.0.0.1/',
  status: 404,
  statusText: 'Not Found',
  header: () => undefined,
  body$: NEVER,
  discard: jest.fn(),
});

describe('an answer that is refused, while the part for it is loaded', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('waits for it, and is its own from then on', async () => {
    const { arrive } = unloaded(refusals);
    const response = answer();
    const seen: unknown[] = [];
    const over = overRefusals(response, () => of('read')).subscribe({
      next: (value) => seen.push(value),
      complete: () => seen.push('|'),
    });
    expect(seen).toEqual([]);
    await arrive();
    expect(seen).toEqual(['read', '|']);
    over.unsubscribe();
    expect(response.discard).not.toHaveBeenCalled();
  });

  it('is let go of by who leaves, and what would be made of it is never made', async () => {
    const { arrive } = unloaded(refusals);
    const response = answer();
    const work = jest.fn(() => of('read'));
    overRefusals(response, work)
      .subscribe({ error: () => undefined })
      .unsubscribe();
    expect(response.discard).toHaveBeenCalledTimes(1);
    await arrive();
    expect(work).not.toHaveBeenCalled();
    expect(response.discard).toHaveBeenCalledTimes(1);
  });

  it('is let go of where it cannot be loaded, with a typed error', async () => {
    const { fail } = unloaded(refusals);
    const response = answer();
    const seen: unknown[] = [];
    overRefusals(response, () => of('read')).subscribe({ error: (reason: unknown) => seen.push(reason) });
    await fail(new Error('offline'));
    expect(seen).toMatchObject([{ name: 'TransportError', cause: new Error('offline') }]);
    expect(response.discard).toHaveBeenCalledTimes(1);
  });
});
