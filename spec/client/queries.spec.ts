import { describe, expect, it } from '@jest/globals';
import {
  type McpClient,
  ProtocolError,
  TransportError,
  UnsupportedFeatureError,
  UnsupportedVersionError,
} from '../../src/index.js';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, metaOf, methodsOf, OPENING, scriptedLives, sentTo } from '../support/client/scripted.js';
import { watch, type Watched } from '../support/client/watch.js';

describe('server()', () => {
  it('tells what a modern server said of itself, and sends nothing more', () => {
    const server = scriptedTransport({}, { instructions: 'be brief', capabilities: { tools: { listChanged: true } } });
    const client = connect(server);
    const seen = watch(client.server());
    expect(seen.values).toEqual([
      {
        era: 'modern',
        protocolVersion: '2026-07-28',
        supportedVersions: ['2026-07-28'],
        info: { name: 'scripted', version: '1.0.0' },
        capabilities: { tools: { listChanged: true } },
        instructions: 'be brief',
      },
    ]);
    expect(seen.completed).toBe(true);
    expect(watch(client.server()).values).toEqual(seen.values);
    expect(methodsOf(server)).toEqual(['server/discover']);
  });

  it('tells what a legacy server said of itself', () => {
    const server = scriptedTransport({}, { era: 'legacy', protocolVersion: '2024-11-05', capabilities: {} });
    expect(watch(connect(server).server()).values).toEqual([
      {
        era: 'legacy',
        protocolVersion: '2024-11-05',
        supportedVersions: [],
        info: { name: 'scripted', version: '1.0.0' },
        capabilities: {},
        instructions: undefined,
      },
    ]);
    expect(methodsOf(server)).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
  });

  it('fails with what the negotiation raised', () => {
    const server = scriptedTransport({}, { protocolVersion: '2030-01-01' });
    const { error } = watch(connect(server).server());
    expect(error).toBeInstanceOf(UnsupportedVersionError);
    expect(error).toMatchObject({ requested: ['2026-07-28'], supported: ['2030-01-01'] });
  });
});

describe.each(ERAS)('era() of a %s server', (era) => {
  it('is its era, found or pinned', () => {
    expect(watch(connect(scriptedTransport({}, { era })).era()).values).toEqual([era]);
    const server = scriptedTransport({}, { era });
    expect(watch(connect(server, { era }).era()).values).toEqual([era]);
    expect(methodsOf(server)).toEqual(OPENING[era]);
  });
});

describe('ping()', () => {
  it('asks a legacy server for ping, and is true', () => {
    const server = scriptedTransport({}, { era: 'legacy' });
    const seen = watch(connect(server, { era: 'legacy' }).ping());
    expect([seen.values, seen.completed]).toEqual([[true], true]);
    expect(methodsOf(server)).toEqual([...OPENING.legacy, 'ping']);
  });

  it('asks a modern server for server/discover, each time anew, and is true', () => {
    const server = scriptedTransport();
    const client = connect(server);
    expect([watch(client.ping()).values, watch(client.ping()).values]).toEqual([[true], [true]]);
    expect(methodsOf(server)).toEqual(['server/discover', 'server/discover', 'server/discover']);
  });

  it.each(ERAS)('is false where the %s server refuses it', (era) => {
    let asked = 0;
    const refuse = (): object => scriptedTransport.error(-32601, 'no');
    const server =
      era === 'legacy'
        ? scriptedTransport({ ping: refuse() }, { era })
        : scriptedTransport({
            'server/discover': () =>
              (asked += 1) === 1 ? { supportedVersions: ['2026-07-28'], capabilities: {} } : refuse(),
          });
    const seen = watch(connect(server, { era }).ping());
    expect([seen.values, seen.completed]).toEqual([[false], true]);
  });

  it('fails where the server refuses the handshake: nobody was pinged', () => {
    const server = scriptedTransport({ initialize: scriptedTransport.error(-32603, 'not today') }, { era: 'legacy' });
    const seen = watch(connect(server, { era: 'legacy' }).ping());
    expect([seen.values, seen.error]).toEqual([[], new ProtocolError(-32603, 'not today')]);
  });

  it('fails where the wire dies for good', () => {
    const server = scriptedTransport({ ping: scriptedTransport.silence }, { era: 'legacy' });
    const seen = watch(connect(server, { era: 'legacy' }).ping());
    server.die();
    expect([seen.values, seen.error]).toEqual([[], expect.any(TransportError)]);
  });
});

describe.each(ERAS)('setLogLevel() for a %s server', (era) => {
  it('emits undefined once, and completes', () => {
    const seen = watch(connect(scriptedTransport({}, { era }), { era }).setLogLevel('info'));
    expect([seen.values, seen.completed]).toEqual([[undefined], true]);
  });
});

describe('setLogLevel()', () => {
  it('tells a legacy server at once, and each one after it', () => {
    const lives = scriptedLives(() => scriptedTransport({ 'tools/call': { content: [] } }, { era: 'legacy' }));
    const client = connect(lives, { era: 'legacy' });
    watch(client.setLogLevel('warning'));
    const [first] = lives.opened as [ScriptedTransport];
    expect(sentTo(first, 'logging/setLevel').map(({ params }) => params)).toEqual([{ level: 'warning' }]);
    first.die();
    watch(client.callTool('t'));
    expect(methodsOf(lives.opened[1] as ScriptedTransport)).toEqual([
      ...OPENING.legacy,
      'logging/setLevel',
      'tools/call',
    ]);
  });

  it('sends a modern server nothing, and is stamped on what is asked from then on', () => {
    const server = scriptedTransport({ 'tools/call': { content: [] } });
    const client = connect(server);
    watch(client.callTool('before'));
    watch(client.setLogLevel('warning'));
    watch(client.callTool('after'));
    watch(client.callTool('own', {}, { logLevel: 'debug' }));
    expect(methodsOf(server)).toEqual(['server/discover', 'tools/call', 'tools/call', 'tools/call']);
    const levels = [0, 1, 2].map((n) => metaOf(server, 'tools/call', n)['io.modelcontextprotocol/logLevel']);
    expect(levels).toEqual([undefined, 'warning', 'debug']);
  });

  it('wins over the option of the client', () => {
    const server = scriptedTransport({ 'tools/call': { content: [] } });
    const client = connect(server, { logLevel: 'debug' });
    watch(client.setLogLevel('error'));
    watch(client.callTool('t'));
    expect(metaOf(server, 'tools/call')).toHaveProperty(['io.modelcontextprotocol/logLevel'], 'error');
  });

  it('of a legacy server that declared no logging is an UnsupportedFeatureError without a round trip', () => {
    const server = scriptedTransport({}, { era: 'legacy', capabilities: {} });
    const { error } = watch(connect(server, { era: 'legacy' }).setLogLevel('info'));
    expect(error).toBeInstanceOf(UnsupportedFeatureError);
    expect(methodsOf(server)).toEqual(OPENING.legacy);
  });

  it('that the server refuses leaves the level as it was', () => {
    const script = { 'logging/setLevel': scriptedTransport.error(-32602, 'no') };
    const lives = scriptedLives(() => scriptedTransport(script, { era: 'legacy' }));
    const client = connect(lives, { era: 'legacy' });
    expect(watch(client.setLogLevel('info')).error).toEqual(new ProtocolError(-32602, 'no'));
    lives.opened[0]?.die();
    watch(client.server());
    expect(methodsOf(lives.opened[1] as ScriptedTransport)).toEqual(OPENING.legacy);
  });
});

describe('the option logLevel', () => {
  it('is told a legacy server once, after the handshake and before anything is asked', () => {
    const server = scriptedTransport({ 'tools/call': { content: [] } }, { era: 'legacy' });
    const client = connect(server, { era: 'legacy', logLevel: 'notice' });
    watch(client.callTool('one'));
    watch(client.callTool('two'));
    expect(methodsOf(server)).toEqual([...OPENING.legacy, 'logging/setLevel', 'tools/call', 'tools/call']);
    expect(sentTo(server, 'logging/setLevel')[0]?.params).toEqual({ level: 'notice' });
    expect(metaOf(server, 'tools/call')).toEqual({});
  });

  it('is not told a legacy server that declared no logging', () => {
    const server = scriptedTransport({}, { era: 'legacy', capabilities: {} });
    watch(connect(server, { era: 'legacy', logLevel: 'notice' }).server());
    expect(methodsOf(server)).toEqual(OPENING.legacy);
  });

  it('that a legacy server refuses is one warning, and the call goes on', () => {
    const script = { 'logging/setLevel': scriptedTransport.error(-32602, 'no'), 'tools/call': { content: [] } };
    const client = connect(scriptedTransport(script, { era: 'legacy' }), { era: 'legacy', logLevel: 'notice' });
    const warnings = watch(client.warnings$).values;
    expect(watch(client.callTool('t')).completed).toBe(true);
    expect(warnings.map(({ kind }) => kind)).toEqual(['housekeeping']);
  });

  it('is stamped on every request to a modern server but the opening one', () => {
    const server = scriptedTransport({ 'tools/list': { tools: [] }, 'tools/call': { content: [] } });
    const client = connect(server, { logLevel: 'notice' });
    watch(client.listTools());
    watch(client.callTool('t'));
    watch(client.ping());
    const levels = server.sent.map((message) => {
      const { _meta } = (message as unknown as { params: { _meta: Record<string, unknown> } }).params;
      return _meta['io.modelcontextprotocol/logLevel'];
    });
    expect(levels).toEqual([undefined, 'notice', 'notice', 'notice']);
  });
});

describe('complete()', () => {
  it.each(ERAS)('asks a %s server with what it was given, and emits the result', (era) => {
    const completion = { values: ['alpha', 'alps'], total: 2, hasMore: false };
    const server = scriptedTransport({ 'completion/complete': { completion } }, { era });
    const client = connect(server, { era });
    const ref = { type: 'ref/resource', uri: 'db://{table}' } as const;
    const argument = { name: 'table', value: 'al' };
    const seen = watch(client.complete(ref, argument, { arguments: { schema: 'public' } }));
    expect([seen.values, seen.completed]).toEqual([[{ completion, resultType: 'complete' }], true]);
    const [{ params } = {}] = sentTo(server, 'completion/complete');
    expect(params).toMatchObject({ ref, argument, context: { arguments: { schema: 'public' } } });
    watch(client.complete({ type: 'ref/prompt', name: 'p' }, argument));
    expect(sentTo(server, 'completion/complete')[1]?.params).not.toHaveProperty('context');
  });
});

const GATED: readonly (readonly [string, (client: McpClient) => Watched<unknown>])[] = [
  ['resources/read', (client) => watch<unknown>(client.readResource('a:b'))],
  ['prompts/get', (client) => watch<unknown>(client.getPrompt('p'))],
  [
    'completion/complete',
    (client) => watch<unknown>(client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' })),
  ],
];

describe.each(ERAS)('towards a %s server that declared nothing', (era) => {
  it.each(GATED)('%s is an UnsupportedFeatureError without a round trip', (method, call) => {
    const server = scriptedTransport({}, { era, capabilities: {} });
    const { error } = call(connect(server, { era }));
    expect(error).toBeInstanceOf(UnsupportedFeatureError);
    expect(error).toMatchObject({ era, feature: expect.stringContaining(method) });
    expect(methodsOf(server)).toEqual(OPENING[era]);
  });

  it('a tool may be called: what the server says is heard', () => {
    const server = scriptedTransport({ 'tools/call': { content: [] } }, { era, capabilities: {} });
    expect(watch(connect(server, { era }).callTool('t')).completed).toBe(true);
  });
});

describe('what a server declared is asked after', () => {
  it.each([
    ['null', null],
    ['a boolean', true],
  ])('as an object: %s declares nothing', (_what, resources) => {
    const server = scriptedTransport({}, { capabilities: { resources } });
    expect(watch(connect(server).readResource('a:b')).error).toBeInstanceOf(UnsupportedFeatureError);
  });

  it('only where it could: a server of 2024-11-05 could not declare completions', () => {
    const script = { 'completion/complete': { completion: { values: [] } } };
    const server = scriptedTransport(script, { era: 'legacy', protocolVersion: '2024-11-05', capabilities: {} });
    const client = connect(server, { era: 'legacy' });
    const seen = watch(client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }));
    expect(seen.completed).toBe(true);
  });
});
