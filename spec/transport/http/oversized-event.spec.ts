import { describe, expect, it } from '@jest/globals';
import { findResponseId } from '../../../src/transport/framing/index.js';
import { OversizedEvent } from '../../../src/transport/http/oversized-event.js';
import type { SseEvent } from '../../../src/transport/http/sse.js';

const idOf = ({ oversized }: SseEvent) =>
  oversized === undefined ? 'none' : findResponseId(oversized.head, oversized.tail);

const x = 'x'.repeat(10_000);

/** An event in pieces, the first of which is already too much. */
const read = (...pieces: readonly string[]) => {
  const event = new OversizedEvent(100);
  const [first = '', ...rest] = pieces;
  event.begin(first);
  const early = event.start(first);
  for (const piece of rest) event.skip(piece);
  return { early, late: event.end(), event };
};

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

/** What an event says, its ends as text. */
const said = (event: SseEvent | undefined): object => {
  const { oversized, ...rest } = event as SseEvent;
  return { ...rest, bytes: oversized?.bytes, head: text(oversized?.head), tail: text(oversized?.tail) };
};

describe('OversizedEvent', () => {
  it('tells at once whose answer it is, where its beginning says so, and not again', () => {
    const { early, late } = read(`data: {"jsonrpc":"2.0","id":7,"result":{"a":"${x}`, `${x}"}}\n\n`);
    expect([idOf(early as SseEvent), late]).toEqual([7, undefined]);
  });

  it('tells at its end whose answer it is, where that says so', () => {
    const { early, late } = read(`event: message\nid: e1\ndata: {"result":{"a":"${x}`, x, '"},"id":7}', '\n\n');
    expect([early, idOf(late as SseEvent)]).toEqual([undefined, 7]);
    expect(late).toMatchObject({ event: 'message', id: 'e1', data: '', oversized: { limit: 100 } });
    expect(late?.oversized?.bytes).toBeGreaterThan(20_000);
  });

  it.each([
    ['a notification', [`data: {"jsonrpc":"2.0","method":"x","params":{"id":7,"a":"${x}`, '"}}\n\n']],
    ['a request', [`data: {"jsonrpc":"2.0","id":7,"method":"x","params":{"a":"${x}`, '"}}\n\n']],
    ['what is no message', [x, '\n\n']],
  ])('belongs to nobody: %s', (_what, pieces) => {
    const { early, late } = read(...pieces);
    expect([early, idOf(late as SseEvent)]).toEqual([undefined, undefined]);
  });

  it('keeps no more of it than its two ends', () => {
    const { late } = read(`data: ${x}`, ...Array.from({ length: 100 }, () => x), '\n\n');
    expect(late?.oversized?.head.length).toBeLessThan(5_000);
    expect(late?.oversized?.tail.length).toBeLessThan(5_000);
  });

  it('has the two ends of the data, 4096 characters of each, and how long it was', () => {
    const [head, tail] = ['a'.repeat(5_000), 'z'.repeat(5_000)];
    const { late } = read(`data:${head}`, `${tail}END`);
    expect(said(late)).toEqual({
      data: '',
      bytes: 10_008,
      head: head.slice(0, 4_091),
      tail: `${tail}END`.slice(-4_096),
    });
    const { late: short } = read(`data: ${head}`);
    expect(said(short)).toEqual({ data: '', bytes: 5_006, head: head.slice(0, 4_090), tail: head.slice(-4_096) });
    const { late: forged } = read('event: data: forged\ndata: own');
    expect(said(forged)).toMatchObject({ event: 'data: forged', head: 'own' });
    const { late: none } = read('noise');
    expect(said(none)).toEqual({ data: '', bytes: 5, head: '', tail: 'noise' });
  });

  it.each<readonly [string, object]>([
    ['event: message\nid: e1\ndata: a', { event: 'message', id: 'e1' }],
    ['id:e1\nevent:message\ndata: a', { event: 'message', id: 'e1' }],
    ['data: event: forged\ndata: id: forged\ndata: a', {}],
    ['event: cut', {}],
  ])('has the fields that stand before its data: %j', (text, fields) => {
    const { event: _one, ...seen } = read(text);
    const { data: _data, oversized: _oversized, ...found } = seen.late as SseEvent;
    expect(found).toStrictEqual(fields);
  });

  it('has the ends and the fields of one that is whole', () => {
    const event = new OversizedEvent(100).whole(`a${x}z`, 10_002, { event: 'message', id: undefined });
    expect(said(event)).toEqual({
      data: '',
      event: 'message',
      bytes: 10_002,
      head: `a${x}`.slice(0, 4_096),
      tail: `${x}z`.slice(-4_096),
    });
  });

  it('tells of each event by itself', () => {
    const { event } = read(`event: old\ndata: {"jsonrpc":"2.0","id":7,"result":{"a":"${x}`, x);
    event.begin('data: b');
    expect(event.start('c')).toBeUndefined();
    expect(event.skipping).toBe(true);
    expect(said(event.end())).toEqual({ data: '', bytes: 7, head: 'b', tail: 'c' });
    event.begin('');
    event.start('');
    expect(said(event.end())).toEqual({ data: '', bytes: 0, head: '', tail: '' });
    expect(said(read('').late)).toEqual({ data: '', bytes: 0, head: '', tail: '' });
  });

  it('forgets one event with its end', () => {
    const { event } = read(`data: {"jsonrpc":"2.0","id":7,"result":{"a":"${x}`, '\n\n');
    event.begin('data: a\n\n');
    expect([event.skipping, event.end()]).toEqual([false, undefined]);
  });
});
