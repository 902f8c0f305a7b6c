import { describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import { run } from '../../src/cli/run.js';
import { fakeIo } from '../support/cli/fake-io.js';
import { serverLine } from '../support/cli/command.js';

describe('run', () => {
  it('writes help to stdout where it was asked for, and to stderr where it was not', async () => {
    const asked = fakeIo();
    expect(await run(['--help'], asked)).toBe(0);
    expect([asked.out().startsWith('Usage: rx-mcp'), asked.err()]).toEqual([true, '']);
    const not = fakeIo();
    expect(await run([], not)).toBe(2);
    expect([not.out(), not.err().startsWith('Usage: rx-mcp')]).toEqual(['', true]);
  });

  it('tells mistakes on the command line as JSON where that is wanted', async () => {
    for (const [args, message, remedy] of [
      [['lst', '--json'], "unknown command 'lst'", '(Did you mean list?)'],
      [['--json', 'list', '--nope'], "unknown option '--nope'", undefined],
      [['--json'], 'which command?', 'rx-mcp --help shows those there are'],
      [['help', 'lst', '--json'], 'there is no command "lst"; did you mean "list"?', undefined],
    ] as const) {
      const io = fakeIo();
      expect(await run(args, io)).toBe(2);
      expect(JSON.parse(io.out())).toEqual({ error: { name: 'CommandError', message, remedy, exitCode: 2 } });
      expect(io.err()).toBe('');
    }
  });

  it.each([
    ['ENOSPC', 1, /^error: the results could not be written: no room/],
    ['EPIPE', 0, /^$/],
  ])('ends with what a stream that cannot be written to says: %s', async (code, exitCode, says) => {
    const io = fakeIo();
    io.stdout._write = (_chunk, _encoding, done) => done(Object.assign(new Error('no room'), { code }));
    expect(await run(['--help'], io)).toBe(exitCode);
    expect(io.err()).toMatch(says);
  });

  it('looks for a config where clients keep theirs, and says where', async () => {
    const io = fakeIo({ cwd: '/a/b', home: '/home/ada', platform: 'darwin' });
    expect(await run(['list'], io)).toBe(3);
    expect(io.err()).toContain('/a/.mcp.json\n');
    expect(io.err()).toContain('/home/ada/Library/Application Support/Claude/claude_desktop_config.json\n');
  });

  it('ends a command by the first signal, and the process by the second', async () => {
    const signals = new Subject<'SIGINT' | 'SIGTERM'>();
    const codes: number[] = [];
    const io = fakeIo({ signals$: signals, exitNow: (code) => void codes.push(code), env: process.env });
    const watching = run(['watch', '--json', '--stdio', serverLine('workshop-stdio.mjs', 'dual')], io);
    const connected = new Promise<void>((resolve) => {
      io.stdout.on('data', () => {
        if (io.out().includes('"connected"')) resolve();
      });
    });
    await connected;
    signals.next('SIGTERM');
    expect(codes).toEqual([]);
    signals.next('SIGINT');
    expect(codes).toEqual([130]);
    expect(await watching).toBe(143);
    expect(signals.observed).toBe(false);
  });

  it('colours what goes to a terminal, unless it is told not to', async () => {
    const args = ['list', '--stdio', 'no-such-command-at-all'];
    const seen = async (more: readonly string[], env: Record<string, string>, terminal = true): Promise<boolean> => {
      const io = fakeIo({ terminal, env: { ...process.env, NO_COLOR: '', ...env } });
      expect(await run([...args, ...more], io)).toBe(4);
      return io.err().includes('\u001b[31m');
    };
    expect(await seen([], {})).toBe(true);
    expect(await seen(['--no-color'], {})).toBe(false);
    expect(await seen([], { NO_COLOR: '1' })).toBe(false);
    expect(await seen([], { TERM: 'dumb' })).toBe(false);
    expect(await seen([], {}, false)).toBe(false);
  });
});
