import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { from, lastValueFrom, type Observable, Subject, take, toArray } from 'rxjs';
import { type SseEvent, sseEvents } from '../../../src/transport/http/sse.js';
import { watch } from '../../support/client/watch.js';
import { breaking, bytes } from '../../support/http/responses.js';

const LIMIT = 1_000_000;

const eventsOf = (chunks: readonly Uint8Array[], limit = LIMIT): readonly SseEvent[] => {
  const { values, error } = watch(from(chunks).pipe(sseEvents(limit)));
  expect(error).toBeUndefined();
  return values;
};

const read = (text: string): readonly SseEvent[] => eventsOf([bytes(text)]);

/** The bytes, cut before each of the given places. */
const cutAt = (whole: Uint8Array, places: readonly number[]): readonly Uint8Array[] => {
  const edges = [0, ...[...places].sort((a, b) => a - b), whole.length];
  return edges.slice(1).map((edge, index) => whole.subarray(edges[index], edge));
};

const ENDINGS = [
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
] as const;

const TALE = [
  ': keep-alive',
  '',
  'data: {"é":"漢 🦀 \\n"}',
  '',
  'id: 7',
  'event: message',
  'retry: 250',
  'data: first',
  ':a comment in between',
  'data:second',
  'data:  third ',
  '',
  'id: 8',
  'data:',
  '',
  'event: endpoint',
  'data: /messages?session=1',
  '',
  '',
];

const TOLD: readonly SseEvent[] = [
  { data: '{"é":"漢 🦀 \\n"}' },
  { data: '', retry: 250 },
  { data: 'first\nsecond\n third ', event: 'message', id: '7' },
  { data: '', id: '8' },
  { data: '/messages?session=1', event: 'endpoint' },
];

describe('the events of a stream', () => {
  it('have no members but those they came with', () => {
    expect(read('data: a\n\nid: 1\ndata: b\n\nevent: x\ndata: c\n\n')).toStrictEqual([
      { data: 'a' },
      { data: 'b', id: '1' },
      { data: 'c', event: 'x' },
    ]);
  });

  it('have their type and their id, too, where they are too large', () => {
    expect(eventsOf([bytes('id: 7\nevent: message\ndata: 1234\ndata: 5\n\n')], 5)).toMatchObject([
      { data: '', id: '7', event: 'message', oversized: { bytes: 6, limit: 5 } },
    ]);
  });

  it.each<readonly [string, SseEvent]>([
    ['data: a\n\n', { data: 'a' }],
    ['event: message\ndata: a\n\n', { data: 'a', event: 'message' }],
    ['event: message\ndata:a\n\n', { data: 'a', event: 'message' }],
    ['event: other\ndata: a\n\n', { data: 'a', event: 'other' }],
    ['event:\ndata: a\n\n', { data: 'a' }],
    ['data:  a \n\n', { data: ' a ' }],
    ['data: \n\n', { data: '' }],
    ['data: a\ndata: b\n\n', { data: 'a\nb' }],
    ['data: a\u2028b\n\n', { data: 'a\u2028b' }],
    ['data: a\nid: 1\n\n', { data: 'a', id: '1' }],
    ['ï»¿data: b\ndata: a\n\n', { data: 'a' }],
  ])('are the same among others, before and behind: %j', (text, event) => {
    const plain = 'event: message\ndata: x\n\n';
    const others = read(plain);
    expect(read(`${plain}${text}${plain}${text}data: y\ndata: z\n\n${text}${plain}`)).toStrictEqual([
      ...others,
      event,
      ...others,
      event,
      { data: 'y\nz' },
      event,
      ...others,
    ]);
  });

  it('do not take an end of one for a whole one', () => {
    expect(eventsOf([bytes('id: 1\n'), bytes('data: a\n\n'), bytes('data: b\n\n')])).toStrictEqual([
      { data: 'a', id: '1' },
      { data: 'b' },
    ]);
  });

  it('may begin with an empty line, and with a line feed of its own', () => {
    expect(eventsOf([bytes('\n'), bytes('data: a\n\n')])).toEqual([{ data: 'a' }]);
    expect(eventsOf([bytes('data: a\n'), bytes('\n')])).toEqual([{ data: 'a' }]);
  });

  describe.each(ENDINGS)('whose lines end with %s', (_name, ending) => {
    const whole = bytes(TALE.join(ending));

    it('are told in order, and comments are passed over', () => {
      expect(eventsOf([whole])).toEqual(TOLD);
    });

    it('are the same wherever the bytes are cut in two', () => {
      for (let place = 0; place <= whole.length; place += 1) expect(eventsOf(cutAt(whole, [place]))).toEqual(TOLD);
    });

    it('are the same when the bytes come one by one', () => {
      expect(eventsOf([...whole].map((byte) => Uint8Array.of(byte)))).toEqual(TOLD);
    });

    it('are the same however the bytes are cut', () => {
      fc.assert(
        fc.property(fc.array(fc.nat(whole.length)), (places) => {
          expect(eventsOf(cutAt(whole, places))).toEqual(TOLD);
        }),
      );
    });

    it('come with the last byte of each, not with the first of the next', () => {
      const bytes$ = new Subject<Uint8Array>();
      const seen = watch(bytes$.pipe(sseEvents(LIMIT)));
      bytes$.next(bytes(`data: a${ending}${ending}`));
      expect(seen.values).toEqual([{ data: 'a' }]);
      bytes$.next(bytes(`data: b${ending}`));
      bytes$.next(bytes(ending));
      expect(seen.values).toEqual([{ data: 'a' }, { data: 'b' }]);
    });
  });

  it('are the same whatever the lines end with, mixed within one stream', () => {
    const ending = fc.constantFrom('\n', '\r\n', '\r');
    const tale = fc.array(ending, { minLength: TALE.length, maxLength: TALE.length });
    // LF alone after a CR and nothing else would be one ending, not two.
    const written = tale.map((endings) =>
      TALE.slice(0, -1).reduce((text, line, index) => {
        const wanted = String(endings[index]);
        return `${text}${line}${line === '' && text.endsWith('\r') && wanted === '\n' ? '\r' : wanted}`;
      }, ''),
    );
    fc.assert(
      fc.property(written, fc.array(fc.nat(400)), (text, places) => {
        const whole = bytes(text);
        const chunks = cutAt(
          whole,
          places.map((place) => place % (whole.length + 1)),
        );
        expect(eventsOf(chunks)).toEqual(TOLD);
      }),
    );
  });

  it('may begin with a byte order mark', () => {
    expect(eventsOf([Uint8Array.of(0xef, 0xbb, 0xbf), bytes('data: a\n\n')])).toEqual([{ data: 'a' }]);
  });

  it('have only the ids of their own', () => {
    expect(read('id: 1\ndata: a\n\ndata: b\n\n')).toEqual([{ data: 'a', id: '1' }, { data: 'b' }]);
  });

  it('know nothing of fields that do not exist, of a delay that is no number, and of lines without a colon', () => {
    expect(read('colour: red\nretry: soon\ndata\nnonsense\ndata: a\n\n')).toEqual([{ data: '\na' }]);
  });

  it('are none where the stream ends within one', () => {
    expect(read('data: a\n\ndata: b\n')).toEqual([{ data: 'a' }]);
  });

  it('that have arrived are told before what breaks the stream', () => {
    const reason = new Error('cut');
    const seen = watch(breaking(reason, 'data: a\n\ndata: b').pipe(sseEvents(LIMIT)));
    expect([seen.values, seen.error]).toEqual([[{ data: 'a' }], reason]);
  });

  it('are told within the subscription, and no more of them than somebody wants', () => {
    const seen = watch(from([bytes('data: a\n\ndata: b\n\ndata: c\n\n')]).pipe(sseEvents(LIMIT), take(2)));
    expect([seen.values, seen.completed]).toEqual([[{ data: 'a' }, { data: 'b' }], true]);
  });

  it('are those of each subscriber, cut anew', async () => {
    const events$: Observable<SseEvent> = from([bytes('data: a'), bytes('\n\n')]).pipe(sseEvents(LIMIT));
    expect(await lastValueFrom(events$.pipe(toArray()))).toEqual([{ data: 'a' }]);
    expect(await lastValueFrom(events$.pipe(toArray()))).toEqual([{ data: 'a' }]);
  });
});

describe('the size of an event', () => {
  it('may be just what is allowed', () => {
    expect(eventsOf([bytes('data: éé\n\n')], 4)).toEqual([{ data: 'éé' }]);
  });

  it.each([
    ['in one piece', ['data: ééx\n\n']],
    ['in two lines', ['data: éé\ndata:\n\n']],
    ['in pieces', ['da', 'ta: é', 'éx', '\n', '\n']],
  ])('over that is told in its place, and what follows is read: %s', (_how, chunks) => {
    expect(eventsOf([...chunks, 'data: a\n\n'].map(bytes), 4)).toMatchObject([
      { data: '', oversized: { bytes: 5, limit: 4 } },
      { data: 'a' },
    ]);
  });

  it('is bounded while the event has no end, too', () => {
    const bytes$ = new Subject<Uint8Array>();
    const seen = watch(bytes$.pipe(sseEvents(100)));
    for (let n = 0; n < 50; n += 1) bytes$.next(bytes('data: 0123456789\n'));
    expect(seen.values).toEqual([]);
    bytes$.next(bytes('\ndata: a\n\n'));
    expect(seen.values).toMatchObject([{ data: '', oversized: { bytes: 851, limit: 100 } }, { data: 'a' }]);
  });

  it('is bounded within one line without an end, too', () => {
    const bytes$ = new Subject<Uint8Array>();
    const seen = watch(bytes$.pipe(sseEvents(100)));
    for (let n = 0; n < 50; n += 1) bytes$.next(bytes('0123456789'));
    bytes$.next(bytes('\n\ndata: a\n\n'));
    expect(seen.values).toMatchObject([{ data: '', oversized: { bytes: 502, limit: 100 } }, { data: 'a' }]);
  });

  it('is bounded where it has very many short lines, each of which costs more than it has', () => {
    const lines = 'data:\n'.repeat(2_000);
    const limit = 2_000 * 75;
    expect(eventsOf([bytes(`${lines}\n`)], limit)).toEqual([{ data: '\n'.repeat(1_999) }]);
    expect(eventsOf([bytes(lines), bytes(`${lines}\ndata: a\n\n`)], limit)).toEqual([
      { data: '', oversized: expect.objectContaining({ limit }) },
      { data: 'a' },
    ]);
    const split = Array.from({ length: 4_000 }, () => ['data', ':', ' \n'].map(bytes)).flat();
    expect(eventsOf([...split, bytes('\n')], limit)).toMatchObject([{ oversized: { limit } }]);
  });

  it('may have as many comments before it as it likes', () => {
    const comments = ':\n'.repeat(10_000);
    const events = eventsOf([bytes(comments), bytes(':'), bytes(`\n${comments}data: a\ndata: b\n\n`)], 1_000);
    expect(events).toEqual([{ data: 'a\nb' }]);
  });

  it('counts for each event alone, however many there are in a chunk', () => {
    expect(eventsOf([bytes('data: 0123\n\n'.repeat(100))], 4)).toHaveLength(100);
  });

  it('does not count the comments that keep a stream alive', () => {
    const comments = Array.from({ length: 1_000 }, (_, index) => bytes(index % 2 === 0 ? ':\r\n' : ': ping\n\n'));
    expect(eventsOf([...comments, bytes('data: a\n\n')], 100)).toEqual([{ data: 'a' }]);
  });
});
