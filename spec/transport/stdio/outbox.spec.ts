import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { Observable } from 'rxjs';
import { Outbox } from '../../../src/transport/stdio/outbox.js';

/** A stream whose writes wait until they are flushed by hand. */
const stream = () => {
  const writes: string[] = [];
  const flushes: ((error?: Error) => void)[] = [];
  const writable = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, flushed) => {
      writes.push(text);
      flushes.push(flushed);
    },
  });
  writable.on('error', () => undefined);
  return { writes, flushes, writable };
};

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const sender = (outbox: Outbox, frame: string, seen: string[]) =>
  new Observable<never>((subscriber) => outbox.add(frame, subscriber)).subscribe({
    error: (reason: unknown) => seen.push(`${frame} ${String(reason)}`),
    complete: () => seen.push(`${frame} flushed`),
  });

describe('Outbox', () => {
  it('writes the frames of one tick at once, those of continuations of promises included', async () => {
    const { writes, writable } = stream();
    const outbox = new Outbox(writable);
    await Promise.resolve();
    sender(outbox, 'a', []);
    void Promise.resolve()
      .then(() => sender(outbox, 'b', []))
      .then(() => sender(outbox, 'c', []));
    await tick();
    expect(writes).toEqual(['abc']);
  });

  it('completes the senders in order once their write was flushed, and not before', async () => {
    const { flushes, writable } = stream();
    const outbox = new Outbox(writable);
    const seen: string[] = [];
    sender(outbox, 'a', seen);
    sender(outbox, 'b', seen);
    await tick();
    expect(seen).toEqual([]);
    flushes[0]?.();
    await tick();
    expect(seen).toEqual(['a flushed', 'b flushed']);
  });

  it('leaves the senders of a failed write to whoever knows why it failed', async () => {
    const { flushes, writable } = stream();
    const outbox = new Outbox(writable);
    const seen: string[] = [];
    sender(outbox, 'a', seen);
    await tick();
    flushes[0]?.(new Error('EPIPE'));
    await tick();
    expect(seen).toEqual([]);
    outbox.fail('gone');
    outbox.fail('gone again');
    expect(seen).toEqual(['a gone']);
  });

  it('believes no write that ends without an error after its stream was destroyed: so do pipes whose process is gone', async () => {
    const { flushes, writable } = stream();
    const outbox = new Outbox(writable);
    const seen: string[] = [];
    sender(outbox, 'a', seen);
    await tick();
    writable.destroy();
    flushes[0]?.();
    await tick();
    expect(seen).toEqual([]);
    outbox.fail('gone');
    expect(seen).toEqual(['a gone']);
  });

  it('writes a frame whose sender has left, and leaves the others alone', async () => {
    const { writes, flushes, writable } = stream();
    const outbox = new Outbox(writable);
    const seen: string[] = [];
    sender(outbox, 'a', seen).unsubscribe();
    sender(outbox, 'b', seen);
    await tick();
    flushes[0]?.();
    await tick();
    expect(writes).toEqual(['ab']);
    expect(seen).toEqual(['b flushed']);
  });

  it('writes what was taken in before it ends the stream, and errors those who wait', () => {
    const { writes, writable } = stream();
    const outbox = new Outbox(writable);
    const seen: string[] = [];
    sender(outbox, 'a', seen);
    outbox.end('closed');
    expect(writes).toEqual(['a']);
    expect(writable.writableEnded).toBe(true);
    expect(seen).toEqual(['a closed']);
  });

  it('starts a write early rather than join frames into a very long text', async () => {
    const { writes, flushes, writable } = stream();
    const outbox = new Outbox(writable);
    const long = 'x'.repeat(1_048_576);
    sender(outbox, 'a', []);
    sender(outbox, long, []);
    expect(writes).toEqual([`a${long}`]);
    sender(outbox, 'b', []);
    flushes[0]?.();
    await tick();
    expect(writes).toEqual([`a${long}`, 'b']);
  });

  it('takes a frame in that is sent while others fail', () => {
    const { writable } = stream();
    const outbox = new Outbox(writable);
    const seen: string[] = [];
    new Observable<never>((subscriber) => outbox.add('a', subscriber)).subscribe({
      error: () => sender(outbox, 'b', seen),
    });
    outbox.fail('gone');
    expect(seen).toEqual([]);
    outbox.fail('gone');
    expect(seen).toEqual(['b gone']);
  });

  it('counts anew behind each write, and writes nothing where nothing was taken in', async () => {
    const { writes, flushes, writable } = stream();
    const outbox = new Outbox(writable);
    const long = 'x'.repeat(1_048_577);
    sender(outbox, long, []);
    await tick();
    flushes[0]?.();
    expect(writes).toEqual([long]);
    sender(outbox, 'a', []);
    sender(outbox, 'b', []);
    await tick();
    expect(writes).toEqual([long, 'ab']);
    outbox.end('closed');
    flushes[1]?.();
    await tick();
    expect([writes, writable.writableFinished]).toEqual([[long, 'ab'], true]);
  });

  it('joins frames as long as they are no longer than a mebibyte together', async () => {
    const { writes, writable } = stream();
    const outbox = new Outbox(writable);
    sender(outbox, 'a', []);
    sender(outbox, 'x'.repeat(1_048_575), []);
    expect(writes).toEqual([]);
    await tick();
    expect(writes.map(({ length }) => length)).toEqual([1_048_576]);
  });

  it('errors senders in order, those of writes that are under way first', async () => {
    const { writable } = stream();
    const outbox = new Outbox(writable);
    const seen: string[] = [];
    sender(outbox, 'a', seen);
    await tick();
    sender(outbox, 'b', seen);
    outbox.fail('gone');
    expect(seen).toEqual(['a gone', 'b gone']);
    await tick();
  });
});
