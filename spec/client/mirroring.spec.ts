import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject, defer, firstValueFrom, map, Observable, type Observable as Source, timer } from 'rxjs';
import {
  type ClientOptions,
  type Connector,
  EraCache,
  type SendHints,
  type Tool,
  type Transport,
} from '../../src/index.js';
import { type Script, type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { methodsOf } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { rejection, watch } from '../support/client/watch.js';

const REGION: Tool = {
  name: 'query',
  inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
};
const RENAMED: Tool = {
  name: 'query',
  inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Zone' } } },
};
const PLAIN: Tool = { name: 'plain', inputSchema: { type: 'object' } };
const WRONG: Tool = {
  name: 'wrong',
  inputSchema: { type: 'object', properties: { n: { type: 'number', 'x-mcp-header': 'N' } } },
};

const done = { content: [{ type: 'text', text: 'done' }] } as const;
const mismatch = scriptedTransport.error(-32_020, 'Header mismatch');

/** A wire with headers, as modern HTTP is, and the headers that went with each call. */
const wire = (
  script: Script,
  {
    forms = true,
    mirrorsHeaders = true,
    waits$,
  }: { readonly forms?: boolean; readonly mirrorsHeaders?: boolean; readonly waits$?: Source<boolean> } = {},
  options: ClientOptions = { cache: false },
) => {
  const server = scriptedTransport(script);
  const calls: (SendHints['headers'] | undefined)[] = [];
  const transport: Transport = {
    inbound$: server.inbound$,
    cancelBy: 'hang-up',
    mirrorsHeaders,
    get alive() {
      return server.alive;
    },
    send: (message, hints) => {
      if ('method' in message && message.method === 'tools/call') calls.push(hints?.headers);
      return server.send(message);
    },
    close: () => server.close(),
  };
  const connector: Connector = Object.assign(
    (): Source<Transport> => new Observable((subscriber) => subscriber.next(transport)),
    { forms, waits$ },
  );
  const client = connect(connector, { eraCache: new EraCache(), ...options });
  return { server, calls, client, warnings: watch(client.warnings$).values };
};

const count = (server: ScriptedTransport, method: string): number =>
  methodsOf(server).filter((one) => one === method).length;

describe('a tool on a wire that mirrors arguments', () => {
  it('is looked up before it is called, and what its schema marks goes with the call', async () => {
    const { server, calls, client } = wire({ 'tools/list': { tools: [REGION, PLAIN] }, 'tools/call': done });
    await client.promises.callTool('query', { region: 'us-west1' });
    expect(methodsOf(server)).toEqual(['server/discover', 'tools/list', 'tools/call']);
    expect(calls).toEqual([{ 'Mcp-Param-Region': 'us-west1' }]);
  });

  it('is looked up once', async () => {
    const { server, calls, client } = wire({ 'tools/list': { tools: [REGION, PLAIN] }, 'tools/call': done });
    await client.promises.listTools();
    await client.promises.callTool('query', { region: 'a' });
    await client.promises.callTool('plain');
    await client.promises.callTool('query', {});
    expect(count(server, 'tools/list')).toBe(1);
    expect(calls).toEqual([{ 'Mcp-Param-Region': 'a' }, undefined, {}]);
  });

  it('is called all the same where it cannot be looked up, or is not there', async () => {
    const refused = wire({ 'tools/list': scriptedTransport.error(-32_603, 'no'), 'tools/call': done });
    expect(await refused.client.promises.callTool('query', { region: 'a' })).toMatchObject(done);
    expect(refused.calls).toEqual([undefined]);
    const missing = wire({ 'tools/list': { tools: [] }, 'tools/call': done });
    expect(await missing.client.promises.callTool('query', { region: 'a' })).toMatchObject(done);
  });

  it('is looked up again, and called once more, where the server finds the headers wrong', async () => {
    const lists = [[REGION], [RENAMED]];
    const answers = [mismatch, done];
    const script = {
      // Fresh for an hour, by its own word.
      'tools/list': () => ({ tools: lists.shift() ?? [], ttlMs: 3_600_000 }),
      'tools/call': () => answers.shift() ?? done,
    };
    const { server, calls, client } = wire(script, {}, {});
    expect(await client.promises.callTool('query', { region: 'a' })).toMatchObject(done);
    expect(methodsOf(server).slice(1)).toEqual(['tools/list', 'tools/call', 'tools/list', 'tools/call']);
    expect(calls).toEqual([{ 'Mcp-Param-Region': 'a' }, { 'Mcp-Param-Zone': 'a' }]);
  });

  it('is called no third time', async () => {
    const { server, client } = wire({ 'tools/list': { tools: [REGION] }, 'tools/call': mismatch });
    expect(await rejection(client.promises.callTool('query', {}))).toMatchObject({ code: -32_020 });
    expect(count(server, 'tools/call')).toBe(2);
  });

  it('is not called again for any other reason', async () => {
    const { server, client } = wire({
      'tools/list': { tools: [REGION] },
      'tools/call': scriptedTransport.error(-32_602, 'no'),
    });
    expect(await rejection(client.promises.callTool('query', {}))).toMatchObject({ code: -32_602 });
    expect(methodsOf(server).slice(1)).toEqual(['tools/list', 'tools/call']);
  });

  it('has its events, too', async () => {
    const { calls, client } = wire({ 'tools/list': { tools: [REGION] }, 'tools/call': done });
    const seen = await firstValueFrom(client.callTool('query', { region: 'a' }, { observe: 'events' }));
    expect(seen).toMatchObject({ kind: 'result', result: done });
    expect(calls).toEqual([{ 'Mcp-Param-Region': 'a' }]);
  });

  it('is not looked up for arguments that cannot be sent', async () => {
    const { server, client } = wire({ 'tools/list': { tools: [REGION] }, 'tools/call': done });
    expect(await rejection(client.promises.callTool('', {}))).toMatchObject({ name: 'OptionError' });
    expect(methodsOf(server)).toEqual([]);
  });

  it('is left out of the list with a warning where its marks are wrong, and the others are not', async () => {
    const { client, warnings } = wire({ 'tools/list': { tools: [WRONG, REGION] } });
    expect((await client.promises.listTools()).map(({ name }) => name)).toEqual(['query']);
    expect(warnings).toEqual([
      expect.objectContaining({ kind: 'malformed-entry', message: expect.stringMatching(/"wrong".*neither a string/) }),
    ]);
  });
});

describe('a tool on any other wire', () => {
  it.each([
    ['of one form', { forms: false, mirrorsHeaders: false }],
    ['of several', { forms: true, mirrorsHeaders: false }],
  ])('is called without being looked up, and without headers: %s', async (_what, traits) => {
    const { server, calls, client } = wire({ 'tools/list': { tools: [REGION] }, 'tools/call': done }, traits);
    await client.promises.callTool('query', { region: 'a' });
    await client.promises.callTool('query', { region: 'a' });
    expect(methodsOf(server)).toEqual(['server/discover', 'tools/call', 'tools/call']);
    expect(calls).toEqual([undefined, undefined]);
  });

  it('is in the list, whatever its marks', async () => {
    const { client, warnings } = wire(
      { 'tools/list': { tools: [WRONG, REGION] } },
      { forms: true, mirrorsHeaders: false },
    );
    expect((await client.promises.listTools()).map(({ name }) => name)).toEqual(['wrong', 'query']);
    expect(warnings).toEqual([]);
  });

  describe('and that is looked up in vain', () => {
    const silent: Script = { 'tools/list': scriptedTransport.silence, 'tools/call': done };

    it('costs the call no more than its time, and is not sent after that', () => {
      inVirtualTime(({ at }) => {
        const { server, client } = wire(silent);
        const seen = watch(client.callTool('query', {}, { timeoutMs: 300 }));
        at(299, () => expect(seen.error).toBeUndefined());
        at(301, () => expect(seen.error).toMatchObject({ name: 'TimeoutError', method: 'tools/call', timeoutMs: 300 }));
        at(600_000, () => expect(count(server, 'tools/call')).toBe(0));
      });
    });

    it('is given up with the call by a signal', () => {
      inVirtualTime(({ at }) => {
        const { server, client } = wire(silent);
        const abort = new AbortController();
        const seen = watch(client.callTool('query', {}, { signal: abort.signal }));
        at(100, () => {
          abort.abort();
          expect(seen.error).toMatchObject({ name: 'CancelledError' });
        });
        at(600_000, () => expect(count(server, 'tools/call')).toBe(0));
      });
    });

    it('again, after the server refused the headers, is on the time of the call as well', () => {
      inVirtualTime(({ at }) => {
        let lists = 0;
        const { client } = wire({
          'tools/list': () => {
            lists += 1;
            return lists === 1 ? { tools: [REGION] } : scriptedTransport.silence;
          },
          'tools/call': mismatch,
        });
        const seen = watch(client.callTool('query', { region: 'a' }, { timeoutMs: 500 }));
        at(501, () => expect(seen.error).toMatchObject({ name: 'TimeoutError', timeoutMs: 500 }));
      });
    });

    it('stands still while somebody is asked for an authorization, and the call has all of its time then', () => {
      inVirtualTime(({ at }) => {
        const waits$ = new BehaviorSubject(false);
        // As the transport does it: the answer to the handshake is held back meanwhile.
        const discover$ = defer(() => {
          waits$.next(true);
          return timer(900).pipe(
            map(() => {
              waits$.next(false);
              return { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
            }),
          );
        });
        const script = { 'server/discover': () => discover$, 'tools/list': { tools: [REGION] } };
        const { client } = wire({ ...script, 'tools/call': scriptedTransport.silence }, { waits$ });
        const seen = watch(client.callTool('query', {}, { timeoutMs: 400 }));
        at(1_299, () => expect(seen.error).toBeUndefined());
        at(1_301, () => expect(seen.error).toMatchObject({ name: 'TimeoutError', timeoutMs: 400 }));
      });
    });

    it('leaves the call what is left of its time, and a report starts all of it anew', () => {
      inVirtualTime(({ at }) => {
        const list$ = timer(300).pipe(map(() => ({ tools: [REGION] })));
        const { server, client } = wire({ 'tools/list': () => list$, 'tools/call': scriptedTransport.silence });
        const late = watch(client.callTool('query', {}, { timeoutMs: 500 }));
        at(501, () => expect(late.error).toMatchObject({ name: 'TimeoutError', timeoutMs: 500 }));
        let reported: ReturnType<typeof watch> | undefined;
        at(1_000, () => {
          client.listTools({ refresh: true }).subscribe({ error: () => undefined });
          reported = watch(client.callTool('query', {}, { timeoutMs: 500, resetOnProgress: true, observe: 'events' }));
        });
        at(1_400, () => {
          const call = server.sent.filter((message) => 'method' in message && message.method === 'tools/call').at(-1);
          const { _meta } = (call as unknown as { params: { _meta: { progressToken: unknown } } }).params;
          server.push({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken: _meta.progressToken, progress: 1 },
          });
        });
        at(1_899, () => expect(reported?.error).toBeUndefined());
        at(1_901, () => expect(reported?.error).toMatchObject({ name: 'TimeoutError', timeoutMs: 500 }));
      });
    });
  });
});
