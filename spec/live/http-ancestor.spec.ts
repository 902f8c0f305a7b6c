import { describe, expect, it, jest } from '@jest/globals';
import { filter, firstValueFrom, map, toArray } from 'rxjs';
import { CancelledError, connectHttp, EraCache, type HttpOptions, type McpClient } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { rejection, watch } from '../support/client/watch.js';
import { type Loopback, messageOf, serve } from '../support/http/loopback.js';
import { until } from '../support/http/turns.js';
import { webHandler } from '../support/http/web.js';
import { createAncestorHttp } from '../support/servers/sdk-1-http.mjs';

jest.setTimeout(30_000);

/** A promise in the hand of the spec. */
const gate = () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { wait: () => opened, open };
};

const start = async (options: Parameters<typeof createAncestorHttp>[0] = {}, port = 0) => {
  const journal: string[] = [];
  const ancestor = createAncestorHttp({ journal, ...options });
  const server = await serve(webHandler(ancestor.fetch), port);
  return { ancestor, journal, server };
};

const client = ({ url }: Loopback, options: Partial<HttpOptions> = {}): McpClient =>
  closing(connectHttp({ url, eraCache: new EraCache(), ...options }));

const requests = ({ received }: Loopback, method: string): unknown[] =>
  received.filter((one) => one.method === method).map(({ headers }) => headers['last-event-id']);

const textOf = ({ content: [first] }: { readonly content: readonly { readonly type: string }[] }): unknown =>
  (first as { readonly text?: unknown } | undefined)?.text;

describe('a server of the generation before, with sessions', () => {
  it('is found to be legacy, by one probe, one handshake and one stream of its own', async () => {
    const { server, ancestor } = await start();
    const one = client(server);
    const warnings = watch(one.warnings$).values;
    expect(await one.promises.server()).toMatchObject({
      era: 'legacy',
      protocolVersion: '2025-11-25',
      info: { name: 'ancestor', version: '0.9.0' },
    });
    await server.until(() => requests(server, 'GET').length === 1);
    expect(server.received.map((message) => messageOf(message).method ?? message.method)).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
      'GET',
    ]);
    expect([ancestor.sessions, warnings]).toEqual([1, []]);
  });

  it('lists, reads and renders', async () => {
    const { promises } = client((await start()).server);
    expect((await promises.listTools()).map(({ name }) => name)).toEqual(['count', 'slow', 'hang-up']);
    expect((await promises.readResource('ancestor://age')).contents).toMatchObject([{ text: 'old' }]);
    const { messages } = await promises.getPrompt('ask', { what: 'rx' });
    expect(messages).toMatchObject([{ content: { text: 'What is rx?' } }]);
    expect(await promises.ping()).toBe(true);
  });

  it('reports progress and logs on the stream of the call, before the result and in order', async () => {
    const call$ = client((await start()).server).callTool('count', { to: 3 }, { observe: 'events' });
    const seen = await firstValueFrom(
      call$.pipe(
        map((event) => (event.kind === 'progress' ? `${event.progress}/${String(event.total)}` : event.kind)),
        toArray(),
      ),
    );
    expect(seen.filter((kind) => kind !== 'log')).toEqual(['1/3', '2/3', '3/3', 'result']);
  });

  it('hears that a call was given up by a notice, and its handler observes it', async () => {
    const { server, journal } = await start();
    const one = client(server);
    const controller = new AbortController();
    const call = rejection(one.promises.callTool('count', { to: 0 }, { signal: controller.signal }));
    await until(() => journal.includes('started'));
    controller.abort();
    expect(await call).toBeInstanceOf(CancelledError);
    await until(() => journal.includes('aborted'));
    expect(server.received.map((message) => messageOf(message).method)).toContain('notifications/cancelled');
  });

  it('is heard on a stream of its own, also after that was cut', async () => {
    const { server, ancestor } = await start();
    const one = client(server, { retry: { firstDelayMs: 1 } });
    await one.promises.server();
    await server.until(() => requests(server, 'GET').length === 1);
    const changes$ = one.notifications$.pipe(filter(({ method }) => method === 'notifications/tools/list_changed'));
    const first = firstValueFrom(changes$);
    ancestor.announce();
    await first;
    server.cut();
    await server.until(() => requests(server, 'GET').length === 2);
    const second = firstValueFrom(changes$);
    ancestor.announce();
    await second;
  });

  it('is told that its session is over', async () => {
    const { server, ancestor, journal } = await start();
    const one = client(server);
    await one.promises.listTools();
    await one.close();
    expect([ancestor.sessions, journal]).toEqual([0, ['session begun', 'session ended']]);
    expect(requests(server, 'DELETE')).toHaveLength(1);
  });
});

describe('a call whose stream is cut in the middle', () => {
  it('is completed by taking the stream up again, and runs once', async () => {
    const { wait, open } = gate();
    const { server, journal } = await start({ gate: wait });
    const one = client(server, { retry: { firstDelayMs: 1 } });
    const reported = firstValueFrom(one.progress$);
    const call = one.promises.callTool('slow', { id: 'a' }, { progressToken: 'p' });
    await reported;
    server.cut();
    await server.until(() => requests(server, 'GET').filter((from) => from !== undefined).length >= 1);
    open();
    expect(textOf(await call)).toBe('done a');
    expect(journal.filter((line) => line === 'slow a')).toHaveLength(1);
  });

  it('is completed where the answer came while there was no stream', async () => {
    const { wait, open } = gate();
    const { server, journal } = await start({ gate: wait });
    const one = client(server, { retry: { firstDelayMs: 200 } });
    const reported = firstValueFrom(one.progress$);
    const call = one.promises.callTool('slow', { id: 'a' }, { progressToken: 'p' });
    await reported;
    server.cut();
    open();
    expect(textOf(await call)).toBe('done a');
    expect(journal.filter((line) => line === 'slow a')).toHaveLength(1);
  });

  it('is completed where the server closes the stream on purpose and is polled', async () => {
    const { wait, open } = gate();
    const { server } = await start({ gate: wait });
    const one = client(server);
    const call = one.promises.callTool('hang-up', {});
    await server.until(() => requests(server, 'GET').filter((from) => from !== undefined).length >= 1);
    open();
    expect(textOf(await call)).toBe('polled');
  });

  it('is lost where the server keeps no events: at once, and it runs once', async () => {
    const { wait } = gate();
    const { server, journal } = await start({ gate: wait, resumable: false });
    const one = client(server);
    const reported = firstValueFrom(one.progress$);
    const call = rejection(one.promises.callTool('slow', { id: 'a' }, { progressToken: 'p' }));
    await reported;
    server.cut();
    expect(await call).toMatchObject({ name: 'OutcomeUnknownError', method: 'tools/call' });
    expect(journal.filter((line) => line === 'slow a')).toHaveLength(1);
    // The session is still there, and so is the client.
    expect(textOf(await one.promises.callTool('count', { to: 1 }))).toBe('1');
    expect(journal.filter((line) => line === 'session begun')).toHaveLength(1);
  });
});

describe('a server that is started anew', () => {
  it('between two calls gets a new session, unnoticed', async () => {
    const first = await start();
    const one = client(first.server);
    expect(textOf(await one.promises.callTool('count', { to: 1 }))).toBe('1');
    await first.server.close();
    const second = await start({}, first.server.port);
    expect(textOf(await one.promises.callTool('count', { to: 2 }))).toBe('2');
    expect(second.journal).toEqual(['session begun']);
    await one.close();
    expect(second.journal).toEqual(['session begun', 'session ended']);
  });

  it('gets one new session for all calls that find the old one gone, and runs each once', async () => {
    const first = await start();
    const one = client(first.server);
    await one.promises.listTools();
    await first.server.close();
    const second = await start({}, first.server.port);
    const ids = Array.from({ length: 8 }, (_, n) => String(n));
    const results = await Promise.all(ids.map((id) => one.promises.callTool('slow', { id })));
    expect(results.map(textOf)).toEqual(ids.map((id) => `done ${id}`));
    expect(second.journal.filter((line) => line === 'session begun')).toHaveLength(1);
    expect(second.journal.filter((line) => line.startsWith('slow')).sort()).toEqual(ids.map((id) => `slow ${id}`));
  });
});
