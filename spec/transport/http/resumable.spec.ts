import { describe, expect, it } from '@jest/globals';
import { asyncScheduler, concat, NEVER, type Observable, of, Subject, throwError, timer, map, mergeMap } from 'rxjs';
import {
  HttpError,
  InvalidMessageError,
  MessageTooLargeError,
  NetworkError,
  UnauthorizedError,
} from '../../../src/errors/index.js';
import type { Part } from '../../../src/transport/http/answer.js';
import { streamParts } from '../../../src/transport/http/event-stream.js';
import type { HttpResponse } from '../../../src/transport/http/engine.js';
import { opened, resumable, type Resumption } from '../../../src/transport/http/resumable.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { type Watched, watch } from '../../support/client/watch.js';
import { event } from '../../support/http/loopback.js';
import { checked, endingStream, json, madeResponse, openStream } from '../../support/http/responses.js';

const message = (n: number) => ({ jsonrpc: '2.0', method: 'x', params: { n } }) as const;
const part = (n: number, eventId?: string): Part => ({ message: message(n), eventId });
const cut = new NetworkError('https://mcp.example/mcp', new Error('cut'), true);
const down = (): Observable<never> => throwError(() => cut);

interface Stream {
  /** When a GET was made, and from which event on. */
  readonly gets: readonly (readonly [at: number, from: string | undefined])[];
  readonly seen: Watched<Part>;
}

/** Reads a stream that goes on; each GET gets the next answer, and the last one again and again. */
const read = (
  first$: Observable<Part>,
  answers: readonly (() => Observable<HttpResponse>)[],
  { attempts = 3, ...rest }: Partial<Resumption> & { readonly attempts?: number } = {},
): Stream => {
  const gets: (readonly [number, string | undefined])[] = [];
  const resumption: Resumption = {
    http: checked({ retry: { attempts, firstDelayMs: 100, maxDelayMs: 1_000 } }),
    get: (lastEventId) => {
      gets.push([asyncScheduler.now(), lastEventId]);
      return (answers[gets.length - 1] ?? answers.at(-1) ?? down)();
    },
    done: () => false,
    anew: false,
    now: () => asyncScheduler.now(),
    ...rest,
  };
  return { gets, seen: watch(resumable(first$, resumption)) };
};

const numbers = ({ seen }: Stream): unknown[] =>
  seen.values.flatMap(({ message: inbound }) =>
    inbound !== undefined && 'method' in inbound ? [inbound.params?.['n']] : [],
  );

const broken = (...parts: readonly Part[]): Observable<Part> => concat(of(...parts), down());

describe('an id that no header can carry', () => {
  const odd = ['e\u0001', 'e\u007f', '\u001b[2J'];

  it.each(odd)('is none to go on from, and takes the last one back, as an empty one does: %j', (id) => {
    inVirtualTime(({ at }) => {
      const stream = read(broken(part(1, 'e1'), part(2, id)), [() => NEVER]);
      at(60_000, () => {
        expect(numbers(stream)).toEqual([1, 2]);
        expect([stream.gets, stream.seen.error]).toEqual([[], cut]);
      });
    });
  });

  it.each(odd)('has the server’s own stream opened anew: %j', (id) => {
    inVirtualTime(({ at }) => {
      const stream = read(broken(part(1, 'e1'), part(2, id)), [() => NEVER], { anew: true });
      at(60_000, () => {
        expect(stream.gets.map(([, from]) => from)).toEqual([undefined]);
      });
    });
  });

  it('is not one in other letters, nor one with a tab', () => {
    inVirtualTime(({ at }) => {
      const stream = read(broken(part(1, 'é件\t1')), [() => NEVER]);
      at(60_000, () => {
        expect(stream.gets.map(([, from]) => from)).toEqual(['é件\t1']);
      });
    });
  });
});

describe('a stream whose tries are used up', () => {
  it('goes on at the longest delay while that is insisted on, and then errors with what failed last', () => {
    inVirtualTime(({ at }) => {
      const reasons: unknown[] = [];
      const insists = (reason: unknown): boolean => reasons.push(reason) < 3;
      const stream = read(broken(part(1)), [down], { anew: true, insists });
      at(60_000, () => {
        const [, , third, fourth, fifth, ...rest] = stream.gets.map(([ms]) => ms) as [
          number,
          number,
          number,
          number,
          number,
        ];
        // Delays before those are of chance, and so are fractions of a ms.
        expect([fourth - third, fifth - fourth].map(Math.round)).toEqual([1_000, 1_000]);
        expect(rest).toEqual([]);
        expect([reasons, stream.seen.error]).toEqual([[cut, cut, cut], cut]);
      });
    });
  });

  it('is not insisted on where it was closed on purpose', () => {
    inVirtualTime(({ at }) => {
      const stream = read(broken(part(1)), [() => of(endingStream())], { anew: true, insists: () => true });
      at(60_000, () => {
        expect([stream.gets.length, stream.seen.error]).toEqual([
          3,
          new Error('the stream was closed again and again'),
        ]);
      });
    });
  });
});

describe('the response of a GET', () => {
  const answer = (response: HttpResponse): Watched<Part> =>
    watch(opened(response, { http: checked(), now: () => 0 } as Resumption));

  it('is the parts of a stream', () => {
    expect(answer(endingStream(event(message(1), { id: 'a' }))).values).toEqual([part(1, 'a')]);
  });

  it('that is refused is an HttpError', () => {
    expect(answer(madeResponse(405, {}, 'no')).error).toEqual(
      new HttpError(405, 'status 405', 'no', undefined, 'https://mcp.example/mcp'),
    );
  });

  it('that is something else is an HttpError, and let go', () => {
    const response = madeResponse(200, { 'content-type': 'text/html' });
    expect(answer(response).error).toMatchObject({ name: 'HttpError', status: 200 });
    expect(response.discarded).toBe(true);
    expect(answer(json({})).error).toMatchObject({ name: 'HttpError', status: 200 });
  });
});

describe('a stream without ids', () => {
  it('ends with its end, and is not asked for again', () => {
    inVirtualTime(({ at }) => {
      const stream = read(of(part(1)), []);
      at(10_000, () => expect([numbers(stream), stream.seen.completed, stream.gets]).toEqual([[1], true, []]));
    });
  });

  it('errors with what breaks it', () => {
    inVirtualTime(({ at }) => {
      const stream = read(broken(part(1)), []);
      at(10_000, () => expect([numbers(stream), stream.seen.error, stream.gets]).toEqual([[1], cut, []]));
    });
  });

  it('is opened anew where it is the server’s own', () => {
    inVirtualTime(({ at }) => {
      const stream = read(of(part(1)), [() => of(openStream(event(message(2))))], { anew: true });
      at(200, () => {
        expect([numbers(stream), stream.seen.completed]).toEqual([[1, 2], false]);
        expect(stream.gets.map(([, from]) => from)).toEqual([undefined]);
      });
    });
  });
});

describe('a stream whose events have ids', () => {
  it('goes on after the last of them when it breaks, after a delay', () => {
    inVirtualTime(({ at }) => {
      let asked = false;
      const rest = (): Observable<HttpResponse> => {
        asked = true;
        return of(endingStream(event(message(3), { id: 'c' })));
      };
      const stream = read(broken(part(1, 'a'), part(2, 'b')), [rest], { done: () => asked });
      at(1_000, () => {
        expect([numbers(stream), stream.seen.completed]).toEqual([[1, 2, 3], true]);
        expect(stream.gets.map(([, from]) => from)).toEqual(['b']);
        const [[when] = [0]] = stream.gets;
        expect(when).toBeGreaterThanOrEqual(50);
        expect(when).toBeLessThanOrEqual(100);
      });
    });
  });

  it('goes on when the server closed it on purpose, just so much later as it wanted', () => {
    inVirtualTime(({ at }) => {
      const primed = of<Part>({ eventId: 'a', retryMs: 250 });
      const stream = read(primed, [() => of(openStream(event(message(1))))]);
      at(1_000, () => {
        expect(numbers(stream)).toEqual([1]);
        expect(stream.gets).toEqual([[250, 'a']]);
      });
    });
  });

  it('waits as long as the server wants, even longer than we would by ourselves', () => {
    inVirtualTime(({ at }) => {
      const closed = read(of<Part>({ eventId: 'a', retryMs: 5_000 }), [() => NEVER]);
      const broke = read(broken({ eventId: 'a', retryMs: 5_000 }), [() => NEVER]);
      at(10_000, () =>
        expect([...closed.gets, ...broke.gets]).toEqual([
          [5_000, 'a'],
          [5_000, 'a'],
        ]),
      );
    });
  });

  it('waits no shorter after a break than after an end', () => {
    inVirtualTime(({ at }) => {
      const stream = read(broken({ eventId: 'a', retryMs: 700 }), [() => NEVER]);
      at(1_000, () => expect(stream.gets).toEqual([[700, 'a']]));
    });
  });

  it('remembers an id that an event without one does not repeat', () => {
    inVirtualTime(({ at }) => {
      const stream = read(broken(part(1, 'a'), part(2)), [() => NEVER]);
      at(1_000, () => expect(stream.gets.map(([, from]) => from)).toEqual(['a']));
    });
  });

  it('passes over the last one where a server begins with it again', () => {
    inVirtualTime(({ at }) => {
      const texts = [event(message(2), { id: 'b' }), event(message(3), { id: 'c' }), event(message(2), { id: 'b' })];
      const stream = read(broken(part(1, 'a'), part(2, 'b')), [() => of(openStream(...texts))]);
      at(1_000, () => expect(numbers(stream)).toEqual([1, 2, 3, 2]));
    });
  });

  it('forgets one that is taken back by an empty one', () => {
    inVirtualTime(({ at }) => {
      const stream = read(broken(part(1, 'a'), part(2, '')), [() => NEVER]);
      at(1_000, () => expect([stream.gets, stream.seen.error]).toEqual([[], cut]));
    });
  });

  it('may be closed on purpose any number of times, as long as something comes', () => {
    inVirtualTime(({ at }) => {
      let n = 0;
      const stream = read(of<Part>({ eventId: '0', retryMs: 10 }), [
        () => {
          n += 1;
          return of(endingStream(event('', { id: String(n) })));
        },
      ]);
      at(5_000, () => {
        stream.seen.subscription.unsubscribe();
        expect(stream.gets.length).toBeGreaterThan(20);
        expect(stream.gets.at(-1)?.[1]).toBe(String(n - 1));
      });
    });
  });

  it('is done with when it has brought all it was to bring, however it ends then', () => {
    inVirtualTime(({ at }) => {
      const stream = read(broken(part(1, 'a')), [], { done: () => true });
      at(1_000, () => expect([stream.seen.completed, stream.gets]).toEqual([true, []]));
    });
  });

  it('is left in the middle of a delay, or of a GET, without a trace', () => {
    inVirtualTime(({ at }) => {
      const waiting = read(broken(part(1, 'a')), [() => NEVER]);
      at(10, () => waiting.seen.subscription.unsubscribe());
      at(5_000, () => expect(waiting.gets).toEqual([]));
      const response$ = new Subject<HttpResponse>();
      const asking = read(broken(part(1, 'a')), [() => response$]);
      at(500, () => {
        expect(response$.observed).toBe(true);
        asking.seen.subscription.unsubscribe();
        expect(response$.observed).toBe(false);
      });
    });
  });
});

describe('tries that bring nothing', () => {
  it('are bounded, and further apart each time', () => {
    inVirtualTime(({ at }) => {
      const stream = read(broken(part(1, 'a')), [down]);
      at(10_000, () => {
        expect(stream.seen.error).toBe(cut);
        const times = [0, ...stream.gets.map(([when]) => when)];
        const delays = times.slice(1).map((when, index) => when - (times[index] ?? 0));
        expect(delays).toHaveLength(3);
        [100, 200, 400].forEach((longest, index) => {
          expect(delays[index]).toBeGreaterThanOrEqual(longest / 2);
          expect(delays[index]).toBeLessThanOrEqual(longest);
        });
      });
    });
  });

  it('are none at all where none are wanted', () => {
    inVirtualTime(({ at }) => {
      const stream = read(broken(part(1, 'a')), [down], { attempts: 0 });
      at(10_000, () => expect([stream.gets, stream.seen.error]).toEqual([[], cut]));
    });
  });

  it('are counted anew after something came', () => {
    inVirtualTime(({ at }) => {
      let n = 0;
      const stream = read(broken(part(1, 'a')), [
        () => {
          n += 1;
          return n % 3 === 0 ? of(endingStream(event(message(n), { id: String(n) }))) : down();
        },
      ]);
      at(20_000, () => {
        expect(stream.seen.error).toBeUndefined();
        expect(numbers(stream).length).toBeGreaterThan(5);
        stream.seen.subscription.unsubscribe();
      });
    });
  });

  it('of a stream that is always closed at once end with words that say so', () => {
    inVirtualTime(({ at }) => {
      const own = read(of(), [() => of(endingStream())], { anew: true });
      at(10_000, () => {
        expect(own.gets).toHaveLength(3);
        expect(String(own.seen.error)).toMatch(/closed again and again/);
      });
    });
  });

  it('are not what a stream of the server’s own is that only was silent for long', () => {
    inVirtualTime(({ at }) => {
      const idle = (): Observable<HttpResponse> =>
        of(madeResponse(200, { 'content-type': 'text/event-stream' }, timer(300_000).pipe(mergeMap(() => []))));
      const stream = read(
        idle().pipe(
          mergeMap(({ body$ }) => body$),
          map(() => ({})),
        ),
        [idle],
        { anew: true },
      );
      at(300_000 * 20, () => {
        expect(stream.seen.error).toBeUndefined();
        expect(stream.gets.length).toBeGreaterThanOrEqual(18);
        stream.seen.subscription.unsubscribe();
      });
    });
  });

  it('do not become fewer by ids alone, on a stream of the server’s own', () => {
    inVirtualTime(({ at }) => {
      const primed = (): Observable<HttpResponse> => of(endingStream(event('', { id: 'a' })));
      const stream = read(of({ eventId: 'a' }), [primed], { anew: true });
      at(20_000, () => expect([stream.gets.length, stream.seen.completed]).toEqual([3, false]));
    });
  });
});

describe('a server that cannot', () => {
  const refused =
    (status: number, headers = {}): (() => Observable<HttpResponse>) =>
    () =>
      of(madeResponse(status, headers, ''));

  it.each([400, 401, 403, 404, 405, 409, 410])('and says so with %i is not asked again', (status) => {
    inVirtualTime(({ at }) => {
      const stream = read(broken(part(1, 'a')), [refused(status)]);
      at(10_000, () => {
        expect(stream.seen.error).toMatchObject({ name: 'HttpError', status });
        expect(stream.gets).toHaveLength(1);
      });
    });
  });

  it('answers something else than a stream, and is not asked again', () => {
    inVirtualTime(({ at }) => {
      const html = (): Observable<HttpResponse> => of(madeResponse(200, { 'content-type': 'text/html' }, '<html>'));
      const stream = read(of(part(1)), [html], { anew: true });
      at(10_000, () => expect([stream.gets.length, stream.seen.error]).toMatchObject([1, { name: 'HttpError' }]));
    });
  });

  it.each([429, 500, 502, 503, 504])('for the moment, with %i, is', (status) => {
    inVirtualTime(({ at }) => {
      const stream = read(broken(part(1, 'a')), [refused(status), () => of(openStream(event(message(2))))]);
      at(10_000, () => expect(numbers(stream)).toEqual([1, 2]));
    });
  });

  it('is left alone for as long as it asks for', () => {
    inVirtualTime(({ at }) => {
      const stream = read(broken(part(1, 'a')), [refused(503, { 'retry-after': '1' }), () => NEVER], {
        now: () => 0,
      });
      at(10_000, () => {
        const [first, second] = stream.gets.map(([when]) => when);
        expect((second ?? 0) - (first ?? 0)).toBeCloseTo(1_000);
      });
    });
  });

  it('and wants to be left alone for longer than we wait is given up', () => {
    inVirtualTime(({ at }) => {
      const stream = read(broken(part(1, 'a')), [refused(503, { 'retry-after': '2' })]);
      at(10_000, () => expect([stream.gets.length, stream.seen.error]).toMatchObject([1, { status: 503 }]));
    });
  });

  it.each([
    new UnauthorizedError('Bearer'),
    new InvalidMessageError('tools/call', 1, 'no answer'),
    new MessageTooLargeError(2, 1),
  ])('because of something that a repetition does not change is not asked again: %p', (reason) => {
    inVirtualTime(({ at }) => {
      const stream = read(broken(part(1, 'a')), [() => throwError(() => reason)]);
      at(10_000, () => expect([stream.gets.length, stream.seen.error]).toEqual([1, reason]));
    });
  });

  it('says one thing that is too large on a stream of its own is read on behind it', () => {
    inVirtualTime(({ at }) => {
      const http = checked({ maxMessageBytes: 100 });
      const first$ = streamParts(openStream(event('x'.repeat(101)), event(message(2))), http);
      const stream = read(first$, [], { anew: true });
      at(10_000, () => expect(stream.seen.values).toMatchObject([{ message: { error: {} } }, { message: message(2) }]));
    });
  });
});

describe('a stream that may be silent only so long', () => {
  it('is no failure for having been silent: it is opened anew as often as that is so', () => {
    inVirtualTime(({ at }) => {
      const silent = () => of(openStream());
      const http = checked({ keepAliveMs: 300, retry: { attempts: 3, firstDelayMs: 100, maxDelayMs: 30_000 } });
      const own = read(
        throwError(() => cut),
        [silent],
        { anew: true, http },
      );
      at(10_000, () => {
        own.seen.subscription.unsubscribe();
        expect(own.gets.length).toBeGreaterThan(15);
        expect(own.seen.error).toBeUndefined();
      });
    });
  });
});

describe('a server that closes its stream again and again', () => {
  const closing = (retryMs: number) => () => of(endingStream(`retry: ${retryMs}\n${event(message(1), { id: 'a' })}`));

  it.each([
    ['a call waits for', false],
    ['nobody waits for', true],
  ])('does not keep its client spinning, though each brings something that %s', (_, anew) => {
    inVirtualTime(({ at }) => {
      const stream = read(of({ ...part(0, 'a'), retryMs: 1 }), [closing(1)], { anew });
      at(10_000, () => {
        stream.seen.subscription.unsubscribe();
        expect(stream.gets.length).toBeLessThanOrEqual(100);
        expect(stream.gets.length).toBeGreaterThan(50);
        expect(stream.seen.error).toBeUndefined();
      });
    });
  });

  it('is asked no sooner where the user wants no delay', () => {
    inVirtualTime(({ at }) => {
      const stream = read(of(part(0, 'a')), [closing(0)], {
        anew: true,
        http: checked({ retry: { firstDelayMs: 0, maxDelayMs: 1_000 } }),
      });
      at(10_000, () => {
        stream.seen.subscription.unsubscribe();
        expect(stream.gets.length).toBeLessThanOrEqual(100);
      });
    });
  });
});

describe('the delay before a stream is asked for again', () => {
  /** The delays before each GET of a stream of the server's own that brings nothing. */
  const delays = (answer: () => Observable<HttpResponse>, check: (delays: readonly number[]) => void): void => {
    inVirtualTime(({ at }) => {
      const stream = read(of<Part>({}), [answer], { anew: true });
      at(60_000, () => {
        expect(stream.seen.error).toBeDefined();
        const moments = stream.gets.map(([ms]) => ms);
        check(moments.map((ms, index) => Math.round(ms - (moments[index - 1] ?? 0))));
      });
    });
  };

  it('is what the server wants after it has closed the stream, and does not grow', () => {
    delays(
      () => of(endingStream(event('', { retry: 150 }))),
      ([, ...wanted]) => expect(wanted).toEqual([150, 150]),
    );
  });

  it.each([
    ['closed without a wish', () => of(endingStream())],
    ['broken', () => of(madeResponse(200, { 'content-type': 'text/event-stream' }, down()))],
    [
      'broken in spite of a wish',
      () =>
        of(
          madeResponse(
            200,
            { 'content-type': 'text/event-stream' },
            concat(of(new TextEncoder().encode(event('', { retry: 101 }))), down()),
          ),
        ),
    ],
  ])('grows where it was %s', (_how, answer) => {
    delays(answer, ([, , third = 0]) => expect(third).toBeGreaterThanOrEqual(200));
  });

  it('grows until something comes: a mark is nothing on the server’s own stream', () => {
    let id = 0;
    delays(
      () => of(endingStream(event('', { id: String((id += 1)) }))),
      (all) => {
        expect(all).toHaveLength(3);
        expect(all[2]).toBeGreaterThanOrEqual(200);
      },
    );
  });

  it('is not taken for something where the stream of a call only says how long it is to be', () => {
    inVirtualTime(({ at }) => {
      const stream = read(broken(part(1, 'a')), [() => of(endingStream(event('', { retry: 10 })))]);
      at(60_000, () => expect([stream.gets.length, stream.seen.error]).toEqual([3, expect.any(Error)]));
    });
  });
});
