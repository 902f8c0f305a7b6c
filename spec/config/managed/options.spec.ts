import { describe, expect, it } from '@jest/globals';
import { checkOptions } from '../../../src/jsonrpc/checks.js';
import { MANAGED_CHECKS } from '../../../src/config/managed/options.js';
import { thrownBy } from '../../support/client/watch.js';

const check = (options: unknown): void => {
  checkOptions(options, MANAGED_CHECKS, 'options');
};

describe('the options of a managed server', () => {
  it('may all be there, or be absent', () => {
    check({});
    check(Object.fromEntries(Object.keys(MANAGED_CHECKS).map((name) => [name, undefined])));
    check({
      startupTimeoutMs: 1,
      maxRestarts: 0,
      restartWindowMs: 1,
      restartDelayMs: 0,
      killGraceMs: 0,
      baseEnv: {},
      projectDir: '/p',
      plugin: { root: '/r', data: '/d' },
      stripMeta: ['a/'],
      countTokens: () => 1,
      onStatus: () => undefined,
      onToolsChanged: () => undefined,
      client: () => ({}),
      http: () => ({}),
    });
    check({ stripMeta: [], client: {}, http: {} });
  });

  it.each([
    ['startupTimeoutMs', 0],
    ['startupTimeoutMs', Number.NaN],
    ['maxRestarts', -1],
    ['maxRestarts', 1.5],
    ['restartWindowMs', 0],
    ['restartDelayMs', '500'],
    ['killGraceMs', -1],
    ['baseEnv', 'PATH'],
    ['projectDir', ''],
    ['stripMeta', 'my-host/'],
    ['stripMeta', ['']],
    ['countTokens', 5],
    ['onStatus', {}],
    ['onToolsChanged', {}],
    ['client', 'x'],
    ['plugin', '/r'],
    ['maxRestart', 5],
    ['__proto__x', 5],
  ])('are refused by name where they cannot be used: %s of %j', (name, value) => {
    expect(
      thrownBy(() => {
        check({ [name]: value });
      }),
    ).toMatchObject({ name: 'OptionError', option: name });
  });

  it.each([
    [{}, 'plugin.root'],
    [{ root: 5 }, 'plugin.root'],
    [{ root: '/r', dir: 1 }, 'plugin.dir'],
  ])('name a member of the plugin that cannot be used: %j', (plugin, option) => {
    expect(
      thrownBy(() => {
        check({ plugin });
      }),
    ).toMatchObject({ name: 'OptionError', option });
  });
});
