import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { config, NEVER, Observable, retry } from 'rxjs';
import { ServerGoneError, type Transport, TransportClosedError, TransportError } from '../../src/index.js';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, methodsOf, OPENING, scriptedLives } from '../support/client/scripted.js';
import { watch } from '../support/client/watch.js';

const silence = scriptedTransport.silence;

const DEATH = new ServerGoneError(null, 'SIGKILL', 'my-server', '');

const answering = (): ScriptedTransport => scriptedTransport({ 'tools/call': { content: [] } });

describe('the connection', () => {
  it('is not made before the client is used, and by no stream', () => {
    const lives = scriptedLives(answering);
    const client = connect(lives);
    const { notifications$, progress$, logs$, warnings$, stderr$, wire$, state$ } = client;
    for (const stream$ of [notifications$, progress$, logs$, warnings$, stderr$, wire$, state$])
      watch<unknown>(stream$);
    void client.callTool('never subscribed to');
    expect(lives.opened).toEqual([]);
    expect(client.alive).toBe(true);
  });

  it.each(ERAS)('is made once for everybody who waits for it, in the %s era', (era) => {
    const lives = scriptedLives(() => scriptedTransport({ [OPENING[era][0] ?? '']: silence }, { era }));
    const client = connect(lives, { era });
    const waiting = [1, 2, 3].map(() => watch(client.server()));
    const result =
      era === 'modern'
        ? { supportedVersions: ['2026-07-28'], capabilities: {} }
        : { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
    lives.opened[0]?.push({ id: 1, result });
    expect(waiting.map(({ completed }) => completed)).toEqual([true, true, true]);
    expect(lives.opened).toHaveLength(1);
    expect(methodsOf(lives.opened[0] as ScriptedTransport)).toEqual(OPENING[era]);
  });

  it('that cannot be made fails everybody who waits, and is tried again by the next use', () => {
    const lives = scriptedLives((life) =>
      scriptedTransport({ initialize: life === 1 ? silence : undefined }, { era: 'legacy' }),
    );
    const client = connect(lives, { era: 'legacy' });
    const waiting = [watch(client.server()), watch(client.era())];
    lives.opened[0]?.die(DEATH);
    expect(waiting.map(({ error }) => error)).toEqual([DEATH, DEATH]);
    expect(client.alive).toBe(true);
    expect(watch(client.era()).values).toEqual(['legacy']);
    expect(lives.opened).toHaveLength(2);
  });

  it('that cannot be made over a wire that may not be opened again stays failed', () => {
    const lives = scriptedLives(() => scriptedTransport({ initialize: silence }, { era: 'legacy' }), {
      reopens: false,
    });
    const client = connect(lives, { era: 'legacy' });
    const first = watch(client.server());
    lives.opened[0]?.die(DEATH);
    expect([first.error, watch(client.server()).error, client.alive]).toEqual([DEATH, DEATH, false]);
    expect(lives.opened).toHaveLength(1);
  });

  it.each(['auto', 'modern', 'legacy'] as const)(
    'whose connector throws or errors fails with a TransportError, era %s, and is tried again',
    (era) => {
      let opened = 0;
      const fault = new Error('no socket');
      const client = connect(
        () => {
          opened += 1;
          if (opened === 1) throw fault;
          return new Observable<Transport>((subscriber) => subscriber.error(fault));
        },
        { era },
      );
      for (const attempt of [1, 2, 3]) {
        const { error } = watch(client.server());
        expect(error).toBeInstanceOf(TransportError);
        expect((error as TransportError).cause).toBe(fault);
        expect(opened).toBe(attempt);
      }
    },
  );

  it('is made anew by the next use after a death, and not before', () => {
    const lives = scriptedLives(answering);
    const client = connect(lives);
    watch(client.server());
    lives.opened[0]?.die(DEATH);
    expect(lives.opened).toHaveLength(1);
    expect(client.alive).toBe(true);
    expect(watch(client.callTool('t')).completed).toBe(true);
    expect(lives.opened).toHaveLength(2);
    expect(lives.opened[0]?.alive).toBe(false);
  });

  it('is made anew for a call that is tried again from its own error handler', () => {
    const lives = scriptedLives((life) => (life === 1 ? scriptedTransport({ 'tools/call': silence }) : answering()));
    const client = connect(lives);
    const seen = watch(client.callTool('t').pipe(retry(1)));
    lives.opened[0]?.die(DEATH);
    expect(seen.completed).toBe(true);
    expect(lives.opened).toHaveLength(2);
  });

  it('is made anew for whoever uses the client as soon as the state says that it failed', () => {
    const lives = scriptedLives(answering);
    const client = connect(lives);
    watch(client.server());
    const again: ReturnType<typeof watch>[] = [];
    client.state$.subscribe({
      next: ({ status }) => {
        if (status === 'failed') again.push(watch(client.callTool('t')));
      },
      error: () => undefined,
    });
    lives.opened[0]?.die(DEATH);
    expect(again.map(({ completed }) => completed)).toEqual([true]);
    expect(lives.opened.map(({ alive }) => alive)).toEqual([false, true]);
  });

  it('that the peer ends without an error counts as a death', () => {
    const lives = scriptedLives(answering);
    const client = connect(lives);
    watch(client.server());
    void lives.opened[0]?.close();
    expect(watch(client.callTool('t')).completed).toBe(true);
    expect(lives.opened).toHaveLength(2);
  });

  it('releases a wire as soon as its life has ended, and each once', async () => {
    const closed: number[] = [];
    const lives = scriptedLives((life) => {
      const transport = answering();
      const close = transport.close.bind(transport);
      transport.close = () => {
        closed.push(life);
        return close();
      };
      return transport;
    });
    const client = connect(lives);
    watch(client.server());
    lives.opened[0]?.die(DEATH);
    watch(client.server());
    await client.close();
    await client.close();
    expect(closed).toEqual([1, 2]);
  });
});

describe('state$', () => {
  it('goes from idle over connecting to connected, with the facts', () => {
    const client = connect(answering());
    const { values } = watch(client.state$);
    expect(values).toEqual([{ status: 'idle' }]);
    watch(client.server());
    expect(values).toEqual([
      { status: 'idle' },
      { status: 'connecting', attempt: 1 },
      { status: 'connected', era: 'modern' },
    ]);
  });

  it('replays its current value, the last one included', async () => {
    const client = connect(answering());
    watch(client.server());
    expect(watch(client.state$).values).toEqual([{ status: 'connected', era: 'modern' }]);
    await client.close();
    const late = watch(client.state$);
    expect([late.values, late.completed]).toEqual([[{ status: 'closed' }], true]);
  });

  it('says why it failed, and that a later connection is a reconnection', () => {
    const lives = scriptedLives(answering);
    const client = connect(lives);
    const { values } = watch(client.state$);
    watch(client.server());
    lives.opened[0]?.die(DEATH);
    watch(client.server());
    expect(values.slice(2)).toEqual([
      { status: 'connected', era: 'modern' },
      { status: 'failed', error: DEATH },
      { status: 'reconnecting', attempt: 1 },
      { status: 'connected', era: 'modern' },
    ]);
  });

  it('counts the attempts since the last connection', () => {
    const lives = scriptedLives((life) =>
      scriptedTransport(
        { initialize: life % 3 === 0 ? undefined : scriptedTransport.error(-1, 'not yet') },
        { era: 'legacy' },
      ),
    );
    const client = connect(lives, { era: 'legacy' });
    const { values } = watch(client.state$);
    for (let use = 0; use < 3; use += 1) watch(client.server());
    lives.opened[2]?.die(DEATH);
    for (let use = 0; use < 3; use += 1) watch(client.server());
    const attempts = values.filter(({ attempt }) => attempt !== undefined);
    expect(attempts.map(({ status, attempt }) => [status, attempt])).toEqual([
      ['connecting', 1],
      ['connecting', 2],
      ['connecting', 3],
      ['reconnecting', 1],
      ['reconnecting', 2],
      ['reconnecting', 3],
    ]);
  });

  it('wraps what a foreign transport raised', () => {
    const transport = answering();
    const client = connect(transport);
    const { values } = watch(client.state$);
    watch(client.server());
    transport.die(new Error('broken pipe'));
    expect(values.at(-1)).toMatchObject({ status: 'failed', error: { name: 'TransportError' } });
  });

  it('ends with closed, from any state', async () => {
    for (const use of [
      () => undefined,
      (client: ReturnType<typeof connect>) => watch(client.server()),
      (client: ReturnType<typeof connect>) => watch(client.callTool('t')),
    ]) {
      const client = connect(answering());
      const seen = watch(client.state$);
      use(client);
      await client.close();
      expect([seen.values.at(-1), seen.completed]).toEqual([{ status: 'closed' }, true]);
    }
  });
});

describe('close() on the connection', () => {
  const unhandled: unknown[] = [];
  const { onUnhandledError } = config;

  beforeEach(() => {
    unhandled.length = 0;
    config.onUnhandledError = (reason) => unhandled.push(reason);
  });

  afterEach(() => {
    config.onUnhandledError = onUnhandledError;
  });

  it('while it is being made ends the wait of everybody, and the wire', async () => {
    const lives = scriptedLives(() => scriptedTransport({ 'server/discover': silence }));
    const client = connect(lives);
    const waiting = [watch<unknown>(client.server()), watch<unknown>(client.callTool('t'))];
    await client.close();
    for (const { error } of waiting) expect(error).toBeInstanceOf(TransportClosedError);
    expect(lives.opened[0]?.alive).toBe(false);
  });

  it('while the wire is being opened unsubscribes from the connector', async () => {
    let released = 0;
    const client = connect(
      () =>
        new Observable<Transport>((subscriber) => {
          subscriber.add(NEVER.subscribe({ error: () => undefined }));
          subscriber.add(() => (released += 1));
        }),
    );
    const seen = watch(client.server());
    await client.close();
    expect(seen.error).toBeInstanceOf(TransportClosedError);
    expect(released).toBe(1);
  });

  it('that fails in the transport is no rejection, but a warning', async () => {
    const transport = answering();
    transport.close = () => Promise.reject(new Error('will not'));
    const client = connect(transport);
    const warnings = watch(client.warnings$).values;
    watch(client.server());
    await expect(client.close()).resolves.toBeUndefined();
    expect(warnings.map(({ kind }) => kind)).toEqual(['housekeeping']);
    expect(unhandled).toEqual([]);
  });

  it('that throws in the transport is none either', async () => {
    const transport = answering();
    transport.close = () => {
      throw new Error('will not');
    };
    const client = connect(transport);
    watch(client.server());
    await expect(client.close()).resolves.toBeUndefined();
  });
});
