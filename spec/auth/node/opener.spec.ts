import { spawn } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { openerFor, openUrl } from '../../../src/auth/node/opener.js';
import { watch } from '../../support/client/watch.js';

describe('openerFor', () => {
  it.each([
    ['linux', {}, ['xdg-open']],
    ['freebsd', {}, ['xdg-open']],
    ['darwin', {}, ['open']],
    [
      'win32',
      { SystemRoot: 'D:\\Win' },
      [expect.stringMatching(/^D:\\Win.System32.rundll32\.exe$/), 'url.dll,FileProtocolHandler'],
    ],
    ['win32', {}, [expect.stringMatching(/^C:\\Windows.System32.rundll32\.exe$/), 'url.dll,FileProtocolHandler']],
  ])('is no shell on %s, and on Windows none that PATH might lead to: %j', (system, env, program) => {
    expect(openerFor(system, env)).toEqual(program);
  });
});

describe('openUrl', () => {
  it('starts nothing before somebody subscribes, and once for each who does', async () => {
    let started = 0;
    const start = () => {
      started += 1;
      return spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    };
    const opening = openUrl(new URL('https://as.example/'), { system: 'linux', env: {}, start });
    expect(started).toBe(0);
    await watch(opening).end;
    await watch(opening).end;
    expect(started).toBe(2);
  });

  it('errors with why there is no program', async () => {
    const desktop = { system: 'linux', env: { PATH: '/nowhere' } };
    expect(await watch(openUrl(new URL('https://as.example/'), desktop)).end).toMatchObject({ code: 'ENOENT' });
  });
});
