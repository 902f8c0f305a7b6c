import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, jest } from '@jest/globals';
import { concatMap, Observable, Subject, take } from 'rxjs';
import { splitLines } from '../../src/transport/framing/index.js';
import { answerParts, eventStreams } from '../../src/transport/http/answer.js';
import { bodyText, wholeBody } from '../../src/transport/http/body.js';
import { watch } from '../support/client/watch.js';
import { bytes, checked, madeResponse } from '../support/http/responses.js';

jest.setTimeout(30_000);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Buffers are given back a turn after the collection that finds them. */
const settled = async (): Promise<number> => {
  for (let count = 0; count < 3; count += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

const REQUEST = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'a' } } as const;
const PIECES = 500_000;
const LIMIT = 10_000_000;

type Reader = (body$: Observable<Uint8Array>) => Observable<unknown>;

/** What is kept of so many bytes that come one by one, in bytes. */
const keptOf = async (reader: Reader): Promise<number> => {
  const body$ = new Subject<Uint8Array>();
  const seen = watch(reader(body$));
  body$.next(bytes('data: '));
  const before = await settled();
  for (let count = 0; count < PIECES; count += 1) body$.next(new Uint8Array([97]));
  const kept = (await settled()) - before;
  body$.next(bytes('\n\n'));
  body$.complete();
  expect(JSON.stringify(seen.values)).toContain('a'.repeat(PIECES));
  return kept;
};

describe('what comes byte by byte', () => {
  it('is not taken from a stream whose reader is being loaded; who leaves meanwhile hangs up', async () => {
    const reader = await eventStreams.load();
    const loaded$ = new Subject<typeof reader>();
    jest.spyOn(eventStreams, 'loaded', 'get').mockReturnValue(undefined);
    jest.spyOn(eventStreams, 'use').mockImplementation((work) => loaded$.pipe(take(1), concatMap(work)));
    let taken = 0;
    let left = 0;
    const body$ = new Observable<Uint8Array>(() => {
      taken += 1;
      return () => {
        left += 1;
      };
    });
    const stream = madeResponse(200, { 'content-type': 'text/event-stream' }, body$);
    const gone = answerParts(stream, REQUEST, checked(), 0).subscribe();
    const seen = watch(answerParts(stream, REQUEST, checked(), 0));
    expect([taken, left]).toEqual([0, 0]);
    gone.unsubscribe();
    expect([taken, left]).toEqual([1, 1]);
    loaded$.next(reader);
    expect([taken, left]).toEqual([2, 1]);
    seen.subscription.unsubscribe();
    expect([taken, left]).toEqual([2, 2]);
    jest.restoreAllMocks();
  });

  it.each<readonly [string, Reader]>([
    ['a body', (body$) => wholeBody(madeResponse(200, {}, body$), LIMIT)],
    ['the beginning of a body', (body$) => bodyText(madeResponse(200, {}, body$), LIMIT, 60_000)],
    ['a line', (body$) => body$.pipe(splitLines({ maxBytes: LIMIT }))],
  ])('costs as many bytes, and not as many pieces: %s', async (_what, reader) => {
    expect(await keptOf(reader)).toBeLessThan(4 * PIECES);
  });

  it('costs as many bytes, and not as many pieces: an event', async () => {
    const { sseEvents } = await import('../../src/transport/http/sse.js');
    expect(await keptOf((body$) => body$.pipe(sseEvents(LIMIT)))).toBeLessThan(4 * PIECES);
  });
});
