import { spawn } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { opened } from '../../../src/auth/node/opened.js';
import { watch } from '../../support/client/watch.js';

const program = (code: string) => spawn(process.execPath, ['-e', code], { stdio: 'ignore' });

describe('a program that opens a browser', () => {
  it('could where it ends well', async () => {
    const seen = watch(opened(program(''), 60_000));
    await seen.end;
    expect([seen.values, seen.completed]).toEqual([[undefined], true]);
  });

  it('could not where it ends otherwise, or is not there', async () => {
    expect(String(await watch(opened(program('process.exit(3)'), 60_000)).end)).toContain('ended with code 3');
    expect(String(await watch(opened(program('process.kill(process.pid)'), 60_000)).end)).toContain('ended by SIGTERM');
    expect(await watch(opened(spawn('there-is-no-such-program'))).end).toMatchObject({ code: 'ENOENT' });
  });
});
