import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/config/load-config.js';
import { commonOf, outputTokensOf, termsOf } from '../../../src/config/managed/terms.js';
import type { ConfigEntry } from '../../../src/config/read-entry.js';

const entryOf = (raw: object, key = 'my server'): ConfigEntry => {
  const [entry] = readConfig({ mcpServers: { [key]: raw } }, { env: {}, projectDir: '/p' }).entries;
  if (entry === undefined) throw new Error('there is an entry');
  return entry;
};
const stdio = (more: object = {}): ConfigEntry => entryOf({ command: 'x', ...more });
const fingerprint = (entry: ConfigEntry, baseEnv = {}): string =>
  termsOf(entry, { baseEnv, projectDir: '/p' }).fingerprint;

describe('the terms of a managed server', () => {
  it('have defaults', () => {
    expect(termsOf(stdio(), { baseEnv: {} })).toMatchObject({
      toolPrefix: 'mcp__my_server__',
      callTimeoutMs: undefined,
      supervision: { startupTimeoutMs: 30_000, maxRestarts: 5, restartWindowMs: 60_000, restartDelayMs: 500 },
      warnings: [],
    });
  });

  it('are those of the options, then those of the variables', () => {
    const baseEnv = { MCP_TIMEOUT: '7000', MCP_TOOL_TIMEOUT: '8000' };
    expect(termsOf(stdio(), { baseEnv })).toMatchObject({
      callTimeoutMs: 8_000,
      supervision: { startupTimeoutMs: 7_000 },
    });
    expect(
      termsOf(stdio({ timeout: 9_000 }), {
        baseEnv,
        startupTimeoutMs: 1,
        maxRestarts: 0,
        restartWindowMs: 2,
        restartDelayMs: 0,
      }),
    ).toMatchObject({
      callTimeoutMs: 9_000,
      supervision: { startupTimeoutMs: 1, maxRestarts: 0, restartWindowMs: 2, restartDelayMs: 0 },
    });
  });

  it('warn of variables that are odd, without what stands in them', () => {
    const baseEnv = { MCP_TIMEOUT: 'secret', MCP_TOOL_TIMEOUT: 'secret', MAX_MCP_OUTPUT_TOKENS: 'secret' };
    const { warnings } = termsOf(stdio(), { baseEnv });
    expect(warnings).toHaveLength(3);
    expect(warnings.join()).not.toContain('secret');
  });

  it('have the whole environment of a process, and none for a URL', () => {
    const options = {
      baseEnv: { A: 'base', B: 'base', CLAUDE_PLUGIN_ROOT: 'host', CLAUDE_PLUGIN_DATA: 'host' },
      projectDir: '/p',
      plugin: { root: '/r' },
    };
    expect(termsOf(stdio({ env: { B: 'own' } }), options).childEnv).toEqual({
      A: 'base',
      B: 'own',
      CLAUDE_PROJECT_DIR: '/p',
      CLAUDE_PLUGIN_ROOT: '/r',
    });
    expect(termsOf(entryOf({ url: 'http://h/' }), options).childEnv).toEqual({});
  });

  it('have a fingerprint that differs with all that a start depends on, and with nothing else', () => {
    const own = fingerprint(stdio());
    expect(own).toMatch(/^[0-9a-f]{64}$/);
    const same = [stdio(), stdio({ allowedTools: ['a'], overlap: 'never', maxOutputTokens: 5 })];
    for (const entry of same) expect(fingerprint(entry)).toBe(own);
    const others = [
      fingerprint(stdio({ args: ['a'] })),
      fingerprint(stdio({ env: { A: '1' } })),
      fingerprint(stdio({ timeout: 5 })),
      fingerprint(entryOf({ command: 'x' }, 'other')),
      fingerprint(stdio(), { A: '2' }),
      termsOf(stdio(), { baseEnv: {}, projectDir: '/q' }).fingerprint,
      fingerprint(entryOf({ url: 'http://h/' })),
      fingerprint(entryOf({ url: 'http://h/', headers: { A: 'b' } })),
      fingerprint(entryOf({ command: 'x', disabled: true })),
      fingerprint(entryOf({ command: '${NOPE}' })),
    ];
    expect(new Set([own, ...others]).size).toBe(others.length + 1);
  });

  it('of an entry that cannot be used are none', () => {
    expect(commonOf(entryOf({ command: 'x', disabled: true, timeout: 5 }))).toEqual({});
    expect(commonOf(stdio({ timeout: 5 }))).toMatchObject({ timeoutMs: 5 });
  });

  it('let a result be as long as the entry says, else the variable', () => {
    const options = { baseEnv: { MAX_MCP_OUTPUT_TOKENS: '7' } };
    expect(outputTokensOf({ maxOutputTokens: 5 }, options)).toBe(5);
    expect(outputTokensOf({}, options)).toBe(7);
    expect(outputTokensOf({}, { baseEnv: {} })).toBe(25_000);
  });
});
