import { describe, expect, it } from '@jest/globals';
import { openConfig } from '../../../src/config/servers/open-config.js';
import { checkOpenOptions, type OpenOptions } from '../../../src/config/servers/options.js';
import { OptionError } from '../../../src/index.js';
import { thrownBy } from '../../support/client/watch.js';

const culprit = (work: () => unknown): string => {
  const thrown = thrownBy(work);
  expect(thrown).toBeInstanceOf(OptionError);
  return (thrown as OptionError).option;
};

describe('the options of a config', () => {
  it.each<readonly [string, unknown]>([
    ['options', null],
    ['wach', { wach: true }],
    ['callTimeoutMs', { callTimeoutMs: 1 }],
    ['env', { env: {} }],
    ['watch', { watch: 'yes' }],
    ['watchDelayMs', { watchDelayMs: -1 }],
    ['home', { home: '' }],
    ['projectDir', { projectDir: 5 }],
    ['plugin.root', { plugin: {} }],
    ['startupTimeoutMs', { startupTimeoutMs: 0 }],
    ['stripMeta', { stripMeta: [''] }],
    ['client', { client: 'mine' }],
    ['onElicitt', { client: { onElicitt: () => undefined } }],
  ])('are an OptionError at once that names %s', (option, options) => {
    expect(culprit(() => openConfig('/nowhere/mcp.json', options as OpenOptions))).toBe(option);
  });

  it('have nothing to watch where there is no file', () => {
    expect(culprit(() => openConfig({ mcpServers: {} }, { watch: true }))).toBe('watch');
    expect(() => checkOpenOptions({ watch: false }, undefined)).not.toThrow();
  });

  it('go with the path of a file, and no other URL', () => {
    expect(culprit(() => openConfig(new URL('http://localhost/mcp.json')))).toBe('source');
  });
});
