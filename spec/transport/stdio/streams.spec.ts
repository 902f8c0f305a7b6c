import { PassThrough } from 'node:stream';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, toArray } from 'rxjs';
import { bytesOf, endOf } from '../../../src/transport/stdio/streams.js';

const listeners = (stream: PassThrough): number =>
  ['data', 'end', 'close'].reduce((count, name) => count + stream.listenerCount(name), 0);

describe('bytesOf', () => {
  it('emits the chunks and completes at the end of the stream', async () => {
    const stream = new PassThrough();
    const all = lastValueFrom(bytesOf(stream).pipe(toArray()));
    stream.write('a');
    stream.end('b');
    expect((await all).map(String)).toEqual(['a', 'b']);
  });

  it('completes when the stream is destroyed, by an error too', async () => {
    const stream = new PassThrough();
    stream.on('error', () => undefined);
    const all = lastValueFrom(bytesOf(stream).pipe(toArray()));
    stream.destroy(new Error('broken'));
    expect(await all).toEqual([]);
  });

  it('leaves no listener behind when its subscriber leaves', () => {
    const stream = new PassThrough();
    const before = listeners(stream);
    const subscription = bytesOf(stream).subscribe();
    expect(listeners(stream)).toBe(before + 3);
    subscription.unsubscribe();
    expect(listeners(stream)).toBe(before);
  });
});

describe('endOf', () => {
  it('emits once at the end and leaves no listener behind', async () => {
    const stream = new PassThrough();
    stream.resume();
    const before = listeners(stream);
    const all = lastValueFrom(endOf(stream).pipe(toArray()));
    stream.end();
    expect(await all).toEqual([undefined]);
    expect(listeners(stream)).toBe(before);
  });

  it('emits at once where the stream has ended or was closed', async () => {
    const ended = new PassThrough({ autoDestroy: false });
    ended.resume().end();
    await once(ended, 'end');
    const closed = new PassThrough();
    closed.destroy();
    await once(closed, 'close');
    const seen: string[] = [];
    endOf(ended).subscribe(() => seen.push('ended'));
    endOf(closed).subscribe(() => seen.push('closed'));
    expect(seen).toEqual(['ended', 'closed']);
  });
});
