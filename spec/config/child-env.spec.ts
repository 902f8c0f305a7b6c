import { describe, expect, it } from '@jest/globals';
import { childEnvOf } from '../../src/config/child-env.js';

const BASE = { PATH: '/bin', CLAUDE_PLUGIN_ROOT: '/host', CLAUDE_PLUGIN_DATA: '/host/data', GONE: undefined };

describe('the environment of a server', () => {
  it('is the base without the variables of the plugin that the host is, and with the project', () => {
    expect(childEnvOf({ baseEnv: BASE, projectDir: '/work' })).toEqual({ PATH: '/bin', CLAUDE_PROJECT_DIR: '/work' });
  });

  it('has the variables of the entry over the base, and those of the project over both', () => {
    const env = { PATH: '/mine', EXTRA: '1', CLAUDE_PROJECT_DIR: '/else', CLAUDE_PLUGIN_ROOT: '/own' };
    expect(childEnvOf({ baseEnv: BASE, env, projectDir: '/work' })).toEqual({
      ...{ PATH: '/mine', EXTRA: '1', CLAUDE_PROJECT_DIR: '/work', CLAUDE_PLUGIN_ROOT: '/own' },
    });
    expect(childEnvOf({ baseEnv: BASE, env: { PATH: undefined }, projectDir: '/w' })).not.toHaveProperty('PATH');
  });

  it('has the two variables of its own plugin over everything', () => {
    const plugin = { root: '/plugin', data: '/plugin-data' };
    const env = { CLAUDE_PLUGIN_ROOT: '/else' };
    expect(childEnvOf({ baseEnv: BASE, env, projectDir: '/work', plugin })).toMatchObject({
      CLAUDE_PLUGIN_ROOT: '/plugin',
      CLAUDE_PLUGIN_DATA: '/plugin-data',
    });
    expect(childEnvOf({ baseEnv: BASE, projectDir: '/work', plugin: { root: '/p' } })).not.toHaveProperty(
      'CLAUDE_PLUGIN_DATA',
    );
  });

  it('takes names that differ in case alone as one where that is the rule', () => {
    const baseEnv = { Path: 'a', claude_plugin_root: '/host' };
    const parts = { baseEnv, env: { PATH: 'b' }, projectDir: '/w' };
    expect(childEnvOf({ ...parts, ignoreCase: true })).toEqual({ PATH: 'b', CLAUDE_PROJECT_DIR: '/w' });
    expect(childEnvOf({ ...parts, ignoreCase: false })).toMatchObject({ Path: 'a', PATH: 'b' });
  });

  it('is laid over that of this process unless another is given', () => {
    expect(childEnvOf({ projectDir: '/w' })).toMatchObject({ PATH: process.env['PATH'] });
  });

  it('is a copy', () => {
    const baseEnv: Record<string, string> = { A: '1' };
    const env = childEnvOf({ baseEnv, projectDir: '/w' });
    baseEnv['A'] = '2';
    expect(env).toMatchObject({ A: '1' });
  });
});
