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

  it('forgets one event with its end', () => {
    const { event } = read(`data: {"jsonrpc":"2.0","id":7,"result":{"a":"${x}`, '\n\n');
    event.begin('data: a\n\n');
    expect([event.skipping, event.end()]).toEqual([false, undefined]);
  });
});
