import { describe, expect, it } from '@jest/globals';
import { resolveOptions } from '../../src/client/options.js';
import { EraCache, McpClient, OptionError, type ClientOptions } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { metaOf, sentTo } from '../support/client/scripted.js';
import { thrownBy, watch } from '../support/client/watch.js';

const refusal = (options: unknown): OptionError => {
  const thrown = thrownBy(() => connect(scriptedTransport(), options as ClientOptions));
  expect(thrown).toBeInstanceOf(OptionError);
  return thrown as OptionError;
};

describe('the options of a client', () => {
  it('have these defaults', () => {
    const settings = resolveOptions({}, 'overlap');
    expect(settings.eraCache).toBeInstanceOf(EraCache);
    expect(settings).toMatchObject({
      protocolVersions: ['2026-07-28'],
      era: 'auto',
      requestTimeoutMs: 60_000,
      maxTotalMs: 600_000,
      resetOnProgress: true,
      probeTimeoutMs: 5_000,
      callbacks: { onLog: undefined, onProgress: undefined, onWarn: undefined },
      logLevel: undefined,
      trustAnnotations: 'overlap',
      validateOutput: 'warn',
    });
  });

  it('say who the client is and what it can do, in either era', () => {
    const me = { name: 'agent', version: '2.0.0', title: 'Agent' };
    const capabilities = { roots: {} };
    for (const [options, clientInfo, declared] of [
      [{}, { name: 'rx-mcp', version: '0.1.0' }, {}],
      [{ clientInfo: me, capabilities }, me, capabilities],
    ] as const) {
      const modern = scriptedTransport();
      watch(connect(modern, { era: 'modern', ...options }).server());
      expect(metaOf(modern, 'server/discover')).toEqual({
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': clientInfo,
        'io.modelcontextprotocol/clientCapabilities': declared,
      });
      const legacy = scriptedTransport({}, { era: 'legacy' });
      watch(connect(legacy, { era: 'legacy', ...options }).server());
      expect(sentTo(legacy, 'initialize')[0]?.params).toEqual({
        protocolVersion: '2025-11-25',
        clientInfo,
        capabilities: declared,
      });
    }
  });

  it('share one memory of eras unless one is given', () => {
    const eraCache = new EraCache();
    expect(resolveOptions({}, 'all').eraCache).toBe(resolveOptions({}, 'all').eraCache);
    expect(resolveOptions({ eraCache }, 'all').eraCache).toBe(eraCache);
  });

  it('are taken where they can be used, and an undefined one counts as absent', () => {
    const noop = (): void => undefined;
    const options: ClientOptions = {
      clientInfo: { name: 'me', version: '2', title: 'Me' },
      protocolVersions: ['2026-07-28'],
      era: 'modern',
      eraCache: new EraCache(),
      requestTimeoutMs: 0,
      maxTotalMs: 0,
      resetOnProgress: false,
      probeTimeoutMs: 1,
      onLog: noop,
      onProgress: noop,
      onWarn: noop,
      logLevel: 'emergency',
      capabilities: { roots: {} },
      trustAnnotations: 'none',
      validateOutput: 'off',
      maxMessageBytes: 1,
    };
    expect(connect(scriptedTransport(), options)).toBeInstanceOf(McpClient);
    const absent = Object.fromEntries(Object.keys(options).map((key) => [key, undefined]));
    expect(connect(scriptedTransport(), absent)).toBeInstanceOf(McpClient);
  });

  it('are copied: what becomes of a list afterwards changes nothing', () => {
    const protocolVersions = ['2026-07-28'];
    const settings = resolveOptions({ protocolVersions }, 'all');
    protocolVersions.pop();
    expect(settings.protocolVersions).toEqual(['2026-07-28']);
  });

  it.each([
    ['clientInfo', { name: 'only a name' }],
    ['clientInfo', 'me'],
    ['protocolVersions', []],
    ['protocolVersions', '2026-07-28'],
    ['protocolVersions', [20260728]],
    ['protocolVersions', ['2030-01-01']],
    ['era', 'newest'],
    ['eraCache', new Map()],
    ['requestTimeoutMs', -1],
    ['requestTimeoutMs', Number.NaN],
    ['requestTimeoutMs', '60000'],
    ['maxTotalMs', Number.POSITIVE_INFINITY],
    ['maxTotalMs', 2_147_483_648],
    ['resetOnProgress', 1],
    ['probeTimeoutMs', 0],
    ['onLog', {}],
    ['onProgress', true],
    ['onWarn', 'console.warn'],
    ['logLevel', 'warn'],
    ['capabilities', []],
    ['trustAnnotations', true],
    ['validateOutput', false],
    ['maxMessageBytes', 0],
    ['maxMessageBytes', 1.5],
  ])('are refused at once, by name: %s = %p', (name, value) => {
    expect(refusal({ [name]: value }).option).toBe(name);
  });

  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
    'refuse the legacy version %s in protocolVersions, and say what to do',
    (version) => {
      const { option, message } = refusal({ protocolVersions: ['2026-07-28', version] });
      expect(option).toBe('protocolVersions');
      expect(message).toContain(version);
      expect(message).toContain("era: 'legacy'");
    },
  );

  it.each([
    ['timeoutMs', 'requestTimeoutMs'],
    ['requestTimeout', 'requestTimeoutMs'],
    ['onlog', 'onLog'],
  ])('refuse the unknown one %s, and say that %s may be meant', (name, meant) => {
    const { option, message } = refusal({ [name]: 1 });
    expect(option).toBe(name);
    expect(message).toContain('did you mean ');
    expect(message).toContain(meant);
  });

  it.each(['constructor', 'toString', 'command'])('refuse the unknown one %s, and name those there are', (name) => {
    const { option, message } = refusal({ [name]: 1 });
    expect(option).toBe(name);
    expect(message).toContain('known are clientInfo, ');
    expect(message).toContain('requestTimeoutMs');
  });

  it('refuse an unknown one whose value is undefined: it is a slip all the same', () => {
    expect(refusal({ requestTimeout: undefined }).option).toBe('requestTimeout');
  });

  it.each([null, 'modern', 5, []])('are an object: %p is refused', (options) => {
    expect(refusal(options).option).toBe('options');
  });
});
