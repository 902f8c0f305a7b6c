import { describe, expect, it } from '@jest/globals';
import { checkCallOptions } from '../../src/client/call-options.js';
import { type EventOptions, OptionError, type CallOptions } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { thrownBy, watch } from '../support/client/watch.js';

const bad = [
  ['timeoutMs', -1],
  ['timeoutMs', '5s'],
  ['maxTotalMs', Number.NaN],
  ['resetOnProgress', 'yes'],
  ['signal', {}],
  ['signal', new AbortController()],
  ['progressToken', 1.5],
  ['progressToken', true],
  ['progressToken', null],
  ['logLevel', 'verbose'],
  ['meta', []],
  ['meta', 'x'],
  ['observe', 'everything'],
  ['timeout', 5],
  ['onProgress', () => undefined],
  ['__proto', 1],
] as const;

describe('the options of a call', () => {
  it('are taken where they can be used, and an undefined one counts as absent', () => {
    const options = {
      timeoutMs: 0,
      maxTotalMs: 5.5,
      resetOnProgress: false,
      signal: new AbortController().signal,
      progressToken: 0,
      logLevel: 'debug',
      meta: {},
      observe: 'result',
    };
    expect(() => {
      checkCallOptions(options);
      checkCallOptions({ ...options, observe: 'events', progressToken: '' });
      checkCallOptions(Object.fromEntries(Object.keys(options).map((key) => [key, undefined])));
      checkCallOptions({});
    }).not.toThrow();
  });

  it('take a signal that is one by its shape', () => {
    const signal = { aborted: false, addEventListener: () => undefined };
    expect(() => {
      checkCallOptions({ signal });
    }).not.toThrow();
  });

  it.each(bad)('are refused by name: %s = %p', (name, value) => {
    const thrown = thrownBy(() => {
      checkCallOptions({ [name]: value });
    });
    expect(thrown).toBeInstanceOf(OptionError);
    expect((thrown as OptionError).option).toBe(name);
  });

  const calls: readonly (readonly [string, (client: ReturnType<typeof connect>, options: CallOptions) => unknown])[] = [
    ['server', (client, options) => watch(client.server(options))],
    ['era', (client, options) => watch(client.era(options))],
    ['listTools', (client, options) => watch(client.listTools(options))],
    ['listPrompts', (client, options) => watch(client.listPrompts(options))],
    ['listResources', (client, options) => watch(client.listResources(options))],
    ['listResourceTemplates', (client, options) => watch(client.listResourceTemplates(options))],
    ['callTool', (client, options) => watch(client.callTool('t', {}, options as object))],
    [
      'callTool',
      (client, options) => watch(client.callTool('t', {}, { ...options, observe: 'events' } as EventOptions)),
    ],
    ['readResource', (client, options) => watch(client.readResource('a:b', options as object))],
    ['getPrompt', (client, options) => watch(client.getPrompt('p', {}, options as object))],
    [
      'complete',
      (client, options) =>
        watch(client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }, undefined, options)),
    ],
    ['ping', (client, options) => watch(client.ping(options))],
    ['setLogLevel', (client, options) => watch(client.setLogLevel('info', options))],
  ];

  it.each(calls)('make %s fail without a connection where one is unknown or of no use', (_name, call) => {
    for (const options of [{ timeout: 5 }, { timeoutMs: -1 }]) {
      const server = scriptedTransport();
      const seen = call(connect(server), options) as ReturnType<typeof watch>;
      expect(seen.error).toBeInstanceOf(OptionError);
      expect((seen.error as OptionError).option).toBe(Object.keys(options)[0]);
      expect(server.sent).toEqual([]);
    }
  });

  it.each([
    'io.modelcontextprotocol/protocolVersion',
    'io.modelcontextprotocol/own',
    'tools.mcp.com/thing',
    'progressToken',
    '-bad',
    'com..example/x',
  ])('refuse the key %p in meta', (key) => {
    const server = scriptedTransport();
    const seen = watch(connect(server).callTool('t', {}, { meta: { [key]: 1 } }));
    expect((seen.error as OptionError).option).toBe('meta');
    expect(seen.error).toHaveProperty('message', expect.stringContaining(key));
    expect(server.sent).toEqual([]);
  });
});

describe('the onProgress of the official client', () => {
  it.each(['onProgress', 'onprogress'])('is refused with what there is in its place: %s', (name) => {
    const thrown = thrownBy(() => {
      checkCallOptions({ [name]: () => undefined });
    });
    expect(thrown).toMatchObject({ option: name, message: expect.stringContaining("observe: 'events'") });
    expect(thrown).toMatchObject({ message: expect.stringContaining('the client onProgress') });
  });
});
