import { describe, expect, it, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { config, firstValueFrom, lastValueFrom, take, toArray } from 'rxjs';
import {
  MessageTooLargeError,
  OptionError,
  ServerGoneError,
  SpawnFailedError,
  TransportClosedError,
} from '../../../src/errors/index.js';
import type { Inbound } from '../../../src/jsonrpc/index.js';
import { StdioTransport, stdioConnector } from '../../../src/transport/stdio/index.js';
import type { StartedChild } from '../../../src/transport/stdio/stdio-transport.js';
import { allGone, failureOf, isRunning, open, peer, request } from '../../support/child-processes.js';

jest.setTimeout(20_000);

const done = (source: { subscribe(observer: object): unknown }): Promise<string> =>
  new Promise((resolve) => {
    source.subscribe({ complete: () => resolve('complete'), error: (reason: Error) => resolve(reason.name) });
  });

describe('StdioTransport', () => {
  it('has the constants of a wire that is shared by all requests', async () => {
    const { transport } = await open(peer('echo'));
    expect(transport.cancelBy).toBe('notice');
    expect(transport.mirrorsHeaders).toBe(false);
    await transport.close();
  });

  it('has inbound$ on its prototype, where what comes in can be watched for all its instances', () => {
    expect(Object.getOwnPropertyDescriptor(StdioTransport.prototype, 'inbound$')?.get).toBeInstanceOf(Function);
  });

  it('sends messages and receives them in the order of the wire', async () => {
    const { transport, messages$ } = await open(peer('echo'));
    const sent = Array.from({ length: 200 }, (_, id) => request(id, { text: 'é'.repeat(id) }));
    const received = firstValueFrom(messages$.pipe(take(sent.length), toArray()));
    expect(await Promise.all(sent.map((message) => done(transport.send(message))))).toEqual(sent.map(() => 'complete'));
    expect(await received).toEqual(sent);
    await transport.close();
  });

  it('writes nothing before it is subscribed, and once for each subscription', async () => {
    const { transport, messages$ } = await open(peer('echo'));
    void transport.send(request(1));
    const twice = transport.send(request(2));
    const received = firstValueFrom(messages$.pipe(take(2), toArray()));
    await Promise.all([done(twice), done(twice)]);
    expect(await received).toEqual([request(2), request(2)]);
    await transport.close();
  });

  it('hands a message over inside the event that brings its bytes', async () => {
    const { transport, messages$ } = await open(peer('echo'));
    const order: string[] = [];
    messages$.subscribe({
      next: () => {
        order.push('message');
        queueMicrotask(() => order.push('microtask'));
      },
      error: () => undefined,
    });
    const received = firstValueFrom(messages$.pipe(take(2), toArray()));
    transport.send(request(1)).subscribe({ error: () => undefined });
    transport.send(request(2)).subscribe({ error: () => undefined });
    await received;
    expect(order.slice(0, 2)).toEqual(['message', 'message']);
    await transport.close();
  });

  it('buffers what arrives until its subscriber is there', async () => {
    const transport = await new Promise<StdioTransport>((resolve, reject) => {
      stdioConnector(
        peer('quit', '0', '', '{"jsonrpc":"2.0","method":"x-test/a"}\n{"jsonrpc":"2.0","method":"x-test/b"}\n'),
      )().subscribe({
        next: (opened) => resolve(opened as StdioTransport),
        error: reject,
      });
    });
    transport.send(request(1)).subscribe({ error: () => undefined });
    await lastValueFrom(transport.stderr$, { defaultValue: undefined });
    const seen: unknown[] = [];
    transport.inbound$.subscribe({ next: (message) => seen.push(message), error: (reason) => seen.push(reason) });
    expect(seen).toEqual([
      { jsonrpc: '2.0', method: 'x-test/a' },
      { jsonrpc: '2.0', method: 'x-test/b' },
      expect.any(ServerGoneError),
    ]);
    await transport.close();
  });

  it('refuses a message that JSON cannot say, and goes on', async () => {
    const { transport, messages$ } = await open(peer('echo'));
    expect(await failureOf(transport.send(request(1, { big: 1n })))).toBeInstanceOf(OptionError);
    const received = firstValueFrom(messages$);
    expect(await done(transport.send(request(2)))).toBe('complete');
    expect(await received).toEqual(request(2));
    await transport.close();
  });

  it('gives the two ends of a message that is too large to whoever waits for it, and goes on', async () => {
    const { transport, messages$ } = await open({ ...peer('big'), maxMessageBytes: 1_000 });
    const received = firstValueFrom(messages$.pipe(take(2), toArray()));
    for (const [id, size] of [
      [1, 2_000],
      [2, 20],
    ] as const)
      transport.send(request(id, { size })).subscribe({ error: () => undefined });
    expect(await received).toMatchObject([
      { id: 1, error: expect.any(MessageTooLargeError) },
      { id: 2, result: {} },
    ]);
    await transport.close();
  });

  it('tells nothing of its server that is to be taken out', async () => {
    const redact = (text: string): string => text.replaceAll('swordfish', '***').replaceAll(process.execPath, 'node');
    const { transport, messages$ } = await open({ ...peer('quit', '7', 'the swordfish is lost\n'), redact });
    const lines = lastValueFrom(transport.stderr$.pipe(toArray()));
    transport.send(request(1)).subscribe({ error: () => undefined });
    expect(await failureOf(messages$)).toMatchObject({ command: 'node', stderrTail: 'the *** is lost' });
    expect(await lines).toEqual(['the *** is lost']);
    await transport.close();
  });

  it.each([
    ['ENOENT', SpawnFailedError],
    ['EPERM', ServerGoneError],
  ])('whose child has an error only afterwards dies of it where it is that of a start: %s', async (code, type) => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000_000)'], { detached: true });
    const error = Object.assign(new Error('afterwards'), { code });
    const transport = new StdioTransport(child as StartedChild, {
      command: 'server',
      redact: (text) => text,
      killGraceMs: 10,
      maxMessageBytes: 1_000,
      explain: (reason) => new SpawnFailedError('server', [], 'there is none', reason),
    });
    const failure = failureOf(transport.inbound$);
    child.emit('error', error);
    expect(transport.alive).toBe(true);
    child.kill('SIGKILL');
    expect(await failure).toBeInstanceOf(type);
    if (type === SpawnFailedError) expect(await failure).toHaveProperty('cause', error);
    await transport.close();
  });

  it('that is killed at once dies as by any other death, and leaves nothing', async () => {
    const { transport, messages$, told } = await open(peer('deaf'));
    await told('ready');
    transport.killNow();
    expect(await failureOf(messages$)).toMatchObject({ name: 'ServerGoneError', signal: 'SIGKILL' });
    await allGone(transport.pid);
    transport.killNow();
    await transport.close();
  });

  it('goes on reading when a listener throws', async () => {
    const { transport, messages$ } = await open(peer('echo'));
    const reported: unknown[] = [];
    const before = config.onUnhandledError;
    config.onUnhandledError = (reason) => reported.push(reason);
    try {
      const lines: string[] = [];
      transport.stderr$.subscribe((line) => lines.push(line));
      messages$.subscribe({
        next: () => {
          throw new Error('listener');
        },
        error: () => undefined,
      });
      const received = firstValueFrom(messages$.pipe(take(2), toArray()));
      transport.send(request(1)).subscribe({ error: () => undefined });
      transport.send(request(2)).subscribe({ error: () => undefined });
      expect(await received).toHaveLength(2);
      await transport.close();
      expect(reported).toEqual([
        expect.objectContaining({ message: 'listener' }),
        expect.objectContaining({ message: 'listener' }),
      ]);
    } finally {
      config.onUnhandledError = before;
    }
  });

  it('gives the lines of stderr to everybody who listens, and completes them with the wire', async () => {
    const { transport } = await open(peer('quit', '0', 'one\n\ntwo'));
    const lines = lastValueFrom(transport.stderr$.pipe(toArray()));
    const others = lastValueFrom(transport.stderr$.pipe(toArray()));
    transport.send(request(1)).subscribe({ error: () => undefined });
    expect(await lines).toEqual(['one', '', 'two']);
    expect(await others).toEqual(['one', '', 'two']);
    await transport.close();
  });

  describe('when the server dies', () => {
    it('delivers what it had written, the last line without ending too, and then errors once', async () => {
      const { transport, messages$ } = await open(
        peer(
          'quit',
          '7',
          'it hurts\n',
          '{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","method":"x-test/last"}',
        ),
      );
      const seen: unknown[] = [];
      const failure = new Promise((resolve) => {
        messages$.subscribe({
          next: (message) => seen.push(message),
          error: (reason: unknown) => {
            seen.push('error');
            resolve(reason);
          },
        });
      });
      transport.send(request(1)).subscribe({ error: () => undefined });
      expect(await failure).toMatchObject({
        name: 'ServerGoneError',
        exitCode: 7,
        signal: null,
        stderrTail: 'it hurts',
      });
      expect(seen).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }, { jsonrpc: '2.0', method: 'x-test/last' }, 'error']);
      expect(transport.alive).toBe(false);
      await transport.close();
      expect(seen).toHaveLength(3);
    });

    it('names the signal that ended it', async () => {
      const { transport, messages$ } = await open(peer('kill-self', 'SIGKILL'));
      transport.send(request(1)).subscribe({ error: () => undefined });
      expect(await failureOf(messages$)).toMatchObject({
        exitCode: null,
        signal: 'SIGKILL',
        command: process.execPath,
      });
      await transport.close();
    });

    it('errors messages that were not flushed with the death, and later ones with TransportClosedError', async () => {
      const { transport, messages$ } = await open(peer('deaf'));
      // More than the pipe holds, to a process that reads it all: stopped, it reads nothing.
      process.kill(transport.pid, 'SIGSTOP');
      const big = failureOf(transport.send(request(1, { text: 'x'.repeat(8_388_608) })));
      const small = failureOf(transport.send(request(2)));
      await new Promise((resolve) => setImmediate(resolve));
      process.kill(transport.pid, 'SIGKILL');
      expect(await big).toBeInstanceOf(ServerGoneError);
      expect(await small).toBe(await big);
      expect(await failureOf(messages$)).toBe(await big);
      const late = await failureOf(transport.send(request(3)));
      expect(late).toBeInstanceOf(TransportClosedError);
      expect((late as Error).message).toMatch(/SIGKILL/);
      await transport.close();
    });

    it('counts the end of its stdout as death, and ends the process that lives on', async () => {
      const { transport, messages$, told } = await open({ ...peer('close-stdout'), killGraceMs: 50 });
      await told('ready');
      transport.send(request(1)).subscribe({ error: () => undefined });
      expect(await failureOf(messages$)).toMatchObject({ name: 'ServerGoneError', exitCode: null, signal: null });
      await allGone(transport.pid);
      await transport.close();
    });

    it('counts a stdin that cannot be written to as death', async () => {
      const { transport, messages$, told } = await open({ ...peer('close-stdin'), killGraceMs: 50 });
      await told('ready');
      const failure = await failureOf(transport.send(request(1)));
      expect(failure).toBeInstanceOf(ServerGoneError);
      expect(await failureOf(messages$)).toBe(failure);
      await allGone(transport.pid);
      await transport.close();
    });

    it('does not wait for a grandchild that holds its pipes open, and ends it', async () => {
      const { transport, messages$, told } = await open({ ...peer('parent', 'leave', 'squat'), killGraceMs: 50 });
      const { pids } = await told<{ pids: number[] }>('family');
      transport.send(request(1)).subscribe({ error: () => undefined });
      expect(await failureOf(messages$)).toMatchObject({ name: 'ServerGoneError', exitCode: 3 });
      await allGone(...pids);
      await transport.close();
    });

    it('does not wait for a grandchild outside its group either', async () => {
      const { transport, messages$, told } = await open({
        ...peer('parent', 'leave', 'squat', '1', 'detached'),
        killGraceMs: 50,
      });
      const { pids } = await told<{ pids: number[] }>('family');
      try {
        transport.send(request(1)).subscribe({ error: () => undefined });
        expect(await failureOf(messages$)).toMatchObject({ name: 'ServerGoneError', exitCode: 3 });
        await transport.close();
        expect(pids.map(isRunning)).toEqual([true]);
      } finally {
        for (const pid of pids) process.kill(pid, 'SIGKILL');
      }
    });
  });

  describe('close', () => {
    it('ends a server that ends with its stdin, completes inbound$ and errors what was not flushed', async () => {
      const { transport, messages$ } = await open(peer('echo'));
      const seen: unknown[] = [];
      const completed = done(messages$);
      const sending = failureOf(transport.send(request(1)));
      const closing = transport.close();
      expect(transport.alive).toBe(false);
      expect(await completed).toBe('complete');
      expect(await sending).toBeInstanceOf(TransportClosedError);
      expect(await failureOf(transport.send(request(2)))).toBeInstanceOf(TransportClosedError);
      await closing;
      expect(isRunning(transport.pid)).toBe(false);
      expect(seen).toEqual([]);
    });

    it('writes what was sent in the same tick before it ends stdin', async () => {
      const { transport } = await open(peer('quit', '0', 'it was read'));
      const lines = lastValueFrom(transport.stderr$.pipe(toArray()));
      transport.send(request(1)).subscribe({ error: () => undefined });
      await transport.close();
      expect(await lines).toEqual(['it was read']);
    });

    it('sends SIGTERM to one that outlives the end of its stdin', async () => {
      const { transport, told } = await open({ ...peer('polite'), killGraceMs: 400 });
      await told('ready');
      const lines = lastValueFrom(transport.stderr$.pipe(toArray()));
      await transport.close();
      expect(isRunning(transport.pid)).toBe(false);
      expect(await lines).toEqual(['stdin ended', 'got SIGTERM']);
    });

    it('sends SIGKILL to one that outlives SIGTERM', async () => {
      const { transport, told } = await open({ ...peer('deaf'), killGraceMs: 400 });
      await told('ready');
      const lines = lastValueFrom(transport.stderr$.pipe(toArray()));
      await transport.close();
      expect(isRunning(transport.pid)).toBe(false);
      expect(await lines).toEqual(['stdin ended', 'got SIGTERM']);
    });

    it('ends one that was stopped', async () => {
      const { transport, told } = await open({ ...peer('polite'), killGraceMs: 10 });
      await told('ready');
      process.kill(transport.pid, 'SIGSTOP');
      await transport.close();
      expect(isRunning(transport.pid)).toBe(false);
    });

    it('is the same however often it is called, also inside what it causes', async () => {
      const { transport, messages$ } = await open(peer('echo'));
      const inside: Promise<void>[] = [];
      messages$.subscribe({ complete: () => inside.push(transport.close()), error: () => undefined });
      transport.send(request(1)).subscribe({ error: () => inside.push(transport.close()) });
      const one = transport.close();
      expect(transport.close()).toBe(one);
      await one;
      expect(inside).toHaveLength(2);
      expect(transport.close()).toBe(one);
      await Promise.all(inside);
    });

    it('after a death waits until what was left of the group has ended', async () => {
      const { transport, messages$, told } = await open({ ...peer('parent', 'leave', 'squat'), killGraceMs: 100 });
      const { pids } = await told<{ pids: number[] }>('family');
      transport.send(request(1)).subscribe({ error: () => undefined });
      await failureOf(messages$);
      await transport.close();
      expect(pids.map(isRunning)).toEqual([false]);
    });

    it('hands nothing over any more, though the server goes on writing', async () => {
      const { transport, told, messages$ } = await open(peer('echo'));
      const seen: Inbound[] = [];
      messages$.subscribe({ next: (message) => seen.push(message), error: () => undefined });
      transport.send({ jsonrpc: '2.0', method: 'x-test/hello' }).subscribe({ error: () => undefined });
      await told('hello');
      transport.send(request(2)).subscribe({ error: () => undefined });
      await transport.close();
      expect(seen).toEqual([{ jsonrpc: '2.0', method: 'x-test/hello' }]);
    });
  });
});
