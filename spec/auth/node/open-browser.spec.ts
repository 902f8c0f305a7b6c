import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { openBrowser } from '../../../src/auth/node/index.js';
import { openOn } from '../../../src/auth/node/open-browser.js';
import { watch } from '../../support/client/watch.js';

const URL_WITH_ALL = 'https://as.example/a?b=$(touch%20x)&c=`d`;e|f&g="h"';

const linux = { system: 'linux', env: process.env };

describe('opening a browser', () => {
  it.each([
    ['linux', /^xdg-open$/],
    ['darwin', /^open$/],
    ['win32', /rundll32\.exe$/],
  ])('starts a program on %s, with the URL as one argument', async (system, program) => {
    const started: [string, readonly string[]][] = [];
    const seen = watch(
      openOn(
        {
          ...linux,
          system,
          start: (command, args) => {
            started.push([command, args]);
            return spawn(process.execPath, ['--version'], { stdio: 'ignore' });
          },
        },
        URL_WITH_ALL,
      ),
    );
    await seen.end;
    expect([seen.values, seen.completed]).toEqual([[undefined], true]);
    const [[command, args]] = started as [[string, readonly string[]]];
    expect(command).toMatch(program);
    expect(args.at(-1)).toBe(new URL(URL_WITH_ALL).href);
    expect(args.at(-1)).not.toMatch(/["\s]/);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,a',
    'file:///etc/passwd',
    'http://as.example/',
    'ftp://as.example/',
    '--help',
    '',
  ])('refuses %j, and starts nothing', async (url) => {
    expect(await watch(openBrowser(url)).end).toMatchObject({ name: 'AuthorizationError', problem: 'url' });
  });

  it('says what to do where there is no such program', async () => {
    const missing = watch(openOn({ ...linux, start: () => spawn('there-is-no-such-program') }, 'http://127.0.0.1:1/'));
    expect(await missing.end).toMatchObject({ problem: 'denied', message: expect.stringContaining('yourself') });
  });

  it('says so where the program says that it cannot, as one without a screen does', async () => {
    const start = () => spawn(process.execPath, ['-e', 'process.exit(3)'], { stdio: 'ignore' });
    const unable = watch(openOn({ ...linux, start, patienceMs: 60_000 }, 'https://as.example/'));
    expect(await unable.end).toMatchObject({
      problem: 'denied',
      message: expect.stringContaining('ended with code 3'),
    });
  });

  it('leaves the program to itself', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    await watch(openOn({ ...linux, start: () => child, patienceMs: 1 }, 'https://as.example/')).end;
    expect(child.exitCode).toBeNull();
    child.kill();
    await once(child, 'exit');
  });
});
