import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { CallPromises } from '../../src/client/promises.js';
import { CancelledError, type McpClient, OptionError, ProtocolError } from '../../src/index.js';
import { type Script, type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, OPENING, methodsOf, sentTo } from '../support/client/scripted.js';
import { rejection, watch } from '../support/client/watch.js';

const silence = scriptedTransport.silence;

const SCRIPT: Script = {
  'tools/list': { tools: [{ name: 't', inputSchema: { type: 'object' } }] },
  'prompts/list': { prompts: [{ name: 'p' }] },
  'resources/list': { resources: [{ name: 'r', uri: 'a:b' }] },
  'resources/templates/list': { resourceTemplates: [{ name: 'x', uriTemplate: 'a:{b}' }] },
  'tools/call': { content: [] },
  'resources/read': { contents: [] },
  'prompts/get': { messages: [] },
  'completion/complete': { completion: { values: ['v'] } },
};

const REF = { type: 'ref/prompt', name: 'p' } as const;
const ARGUMENT = { name: 'a', value: '' };

const TWINS: readonly (readonly [string, (client: McpClient) => [unknown, Promise<unknown>]])[] = [
  ['server', (client) => [watch<unknown>(client.server()).values[0], client.promises.server()]],
  ['era', (client) => [watch<unknown>(client.era()).values[0], client.promises.era()]],
  ['listTools', (client) => [watch<unknown>(client.listTools()).values[0], client.promises.listTools()]],
  ['listPrompts', (client) => [watch<unknown>(client.listPrompts()).values[0], client.promises.listPrompts()]],
  ['listResources', (client) => [watch<unknown>(client.listResources()).values[0], client.promises.listResources()]],
  [
    'listResourceTemplates',
    (client) => [watch<unknown>(client.listResourceTemplates()).values[0], client.promises.listResourceTemplates()],
  ],
  ['callTool', (client) => [watch<unknown>(client.callTool('t', {})).values[0], client.promises.callTool('t', {})]],
  [
    'readResource',
    (client) => [watch<unknown>(client.readResource('a:b')).values[0], client.promises.readResource('a:b')],
  ],
  ['getPrompt', (client) => [watch<unknown>(client.getPrompt('p', {})).values[0], client.promises.getPrompt('p', {})]],
  [
    'complete',
    (client) => [watch<unknown>(client.complete(REF, ARGUMENT)).values[0], client.promises.complete(REF, ARGUMENT)],
  ],
  ['ping', (client) => [watch<unknown>(client.ping()).values[0], client.promises.ping()]],
  [
    'setLogLevel',
    (client) => [watch<unknown>(client.setLogLevel('info')).values[0], client.promises.setLogLevel('info')],
  ],
];

describe.each(ERAS)('client.promises in the %s era', (era) => {
  it.each(TWINS)('%s resolves with what its twin emits', async (_name, both) => {
    const [emitted, promise] = both(connect(scriptedTransport(SCRIPT, { era }), { era }));
    const resolved = await promise;
    expect(resolved).toEqual(emitted);
    if (_name !== 'setLogLevel') expect(resolved).toBeDefined();
  });

  it('tells the server that an aborted call was given up, though not why', async () => {
    const server = scriptedTransport({ 'tools/call': silence }, { era });
    const controller = new AbortController();
    const promise = connect(server, { era }).promises.callTool('t', {}, { signal: controller.signal });
    const reason = new Error('secret');
    controller.abort(reason);
    const error = await rejection(promise);
    expect(error).toBeInstanceOf(CancelledError);
    expect(error).toMatchObject({ method: 'tools/call', id: 2 });
    expect((error as CancelledError).cause).toBe(reason);
    expect(sentTo(server, 'notifications/cancelled').map(({ params }) => params)).toEqual([
      { requestId: 2, reason: 'the client gave this request up' },
    ]);
  });
});

describe('client.promises', () => {
  it('have every method of the client that has one answer', () => {
    const methods = Object.getOwnPropertyNames(CallPromises.prototype);
    expect(methods).toEqual(expect.arrayContaining(TWINS.map(([name]) => name)));
  });

  it('start at once, unlike their twins', () => {
    const server = scriptedTransport(SCRIPT);
    const client = connect(server);
    void client.callTool('t');
    expect(server.sent).toEqual([]);
    void client.promises.callTool('t');
    expect(methodsOf(server)).toEqual([...OPENING.modern, 'tools/call']);
  });

  it('reject with the errors of their twins', async () => {
    const server: ScriptedTransport = scriptedTransport({ 'tools/call': scriptedTransport.error(-32602, 'no', [1]) });
    const { promises } = connect(server);
    expect(await rejection(promises.callTool('t'))).toEqual(new ProtocolError(-32602, 'no', [1]));
    expect(await rejection(promises.callTool(''))).toBeInstanceOf(OptionError);
    expect(await rejection(promises.callTool('t', {}, { timeout: 1 } as object))).toBeInstanceOf(OptionError);
  });

  it('reject, and never throw, whatever they are given', async () => {
    const { promises } = connect(scriptedTransport(SCRIPT));
    const loose = promises as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    for (const [name, ...given] of [
      ['callTool', null, null, null],
      ['readResource', null, null],
      ['getPrompt', null, null, null],
      ['complete', null, null, null, null],
      ['listTools', null],
      ['server', null],
      ['ping', null],
      ['setLogLevel', null, null],
    ] as [string, ...unknown[]][]) {
      expect(await rejection(loose[name]?.(...given) ?? Promise.resolve())).toBeInstanceOf(OptionError);
    }
  });

  it('refuse events, which do not fit in a Promise', async () => {
    const { promises } = connect(scriptedTransport(SCRIPT));
    const options = { observe: 'events' } as object;
    for (const promise of [
      promises.callTool('t', {}, options),
      promises.readResource('a:b', options),
      promises.getPrompt('p', {}, options),
    ]) {
      expect(await rejection(promise)).toMatchObject({ name: 'OptionError', option: 'observe' });
    }
  });

  it('reject at once for a signal that was aborted beforehand, and send nothing', async () => {
    const server = scriptedTransport(SCRIPT);
    const { promises } = connect(server);
    const signal = AbortSignal.abort('before');
    for (const promise of [
      promises.callTool('t', {}, { signal }),
      promises.listTools({ signal }),
      promises.server({ signal }),
      promises.ping({ signal }),
      promises.setLogLevel('info', { signal }),
    ]) {
      expect(await rejection(promise)).toMatchObject({ name: 'CancelledError', cause: 'before', id: undefined });
    }
    expect(server.sent).toEqual([]);
  });

  it('leave no listener on the signal', async () => {
    const { promises } = connect(scriptedTransport(SCRIPT));
    const { signal } = new AbortController();
    await Promise.all([
      promises.callTool('t', {}, { signal }),
      promises.listTools({ signal }),
      promises.ping({ signal }),
    ]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
