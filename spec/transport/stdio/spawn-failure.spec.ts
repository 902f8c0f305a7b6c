import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SpawnFailedError } from '../../../src/errors/index.js';
import { stdioConnector } from '../../../src/transport/stdio/index.js';
import type { StdioParameters } from '../../../src/transport/stdio/index.js';
import { checkParameters } from '../../../src/transport/stdio/parameters.js';
import { explainSpawnFailure } from '../../../src/transport/stdio/spawn-failure.js';
import { failureOf } from '../../support/child-processes.js';

describe('a start that fails', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rx-mcp-spawn-'));
    writeFileSync(join(folder, 'plain'), 'text');
    writeFileSync(join(folder, 'bad-interpreter'), '#!/no/such/interpreter\n');
    chmodSync(join(folder, 'bad-interpreter'), 0o755);
    mkdirSync(join(folder, 'directory'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const cases: [string, () => StdioParameters, RegExp][] = [
    [
      'a command that is on no path',
      () => ({ command: 'no-such-program-anywhere' }),
      /no such program.*ENOENT.*install/,
    ],
    [
      'a path at which there is nothing',
      () => ({ command: join(folder, 'none') }),
      /there is no file .*none.*check the path/,
    ],
    [
      'a relative path, seen from the cwd',
      () => ({ command: './none', cwd: folder }),
      /there is no file .*rx-mcp-spawn/,
    ],
    [
      'a cwd that does not exist',
      () => ({ command: 'cat', cwd: join(folder, 'none') }),
      /working directory .*none.* does not exist/,
    ],
    [
      'a cwd that is a file',
      () => ({ command: 'cat', cwd: join(folder, 'plain') }),
      /plain.*given as cwd.*not a directory/,
    ],
    ['both, where the cwd comes first', () => ({ command: 'nothing', cwd: join(folder, 'none') }), /working directory/],
    ['a file that is not executable', () => ({ command: join(folder, 'plain') }), /permission denied.*executable/],
    ['a directory', () => ({ command: join(folder, 'directory') }), /is a directory.*EACCES/],
    [
      'a script whose interpreter is missing',
      () => ({ command: join(folder, 'bad-interpreter') }),
      /interpreter.*not found/,
    ],
    ['arguments that are too long', () => ({ command: 'cat', args: ['x'.repeat(3_000_000)] }), /too long.*E2BIG/],
  ];

  it.each(cases)('is a SpawnFailedError that says so, for %s', async (_what, parameters, message) => {
    const given = parameters();
    const failure = await failureOf(stdioConnector(given)());
    expect(failure).toBeInstanceOf(SpawnFailedError);
    expect(failure).toMatchObject({ name: 'SpawnFailedError', command: given.command, args: given.args ?? [] });
    expect((failure as Error).message).toMatch(message);
    expect((failure as Error).cause).toMatchObject({ code: expect.stringMatching(/^E/) });
  });

  it('fails each subscription anew', async () => {
    const connector = stdioConnector({ command: 'no-such-program-anywhere' });
    expect(await failureOf(connector())).not.toBe(await failureOf(connector()));
  });

  it('says where arguments belong that stand in the command', async () => {
    const error = await failureOf(stdioConnector({ command: 'npx -y some-server' })());
    expect(String(error)).toMatch(/no such program was found \(ENOENT\); its arguments go into args/);
  });

  it('reaches nobody, and disturbs nobody, once the subscriber has left', async () => {
    const seen: unknown[] = [];
    stdioConnector({ command: 'no-such-program-anywhere' })()
      .subscribe({ error: (reason: unknown) => seen.push(reason) })
      .unsubscribe();
    await failureOf(stdioConnector({ command: 'no-such-program-anywhere' })());
    expect(seen).toEqual([]);
  });

  it('tells no secret that it can take out', async () => {
    const redact = (text: string): string => text.replaceAll('swordfish', '***');
    const connector = stdioConnector({ command: '/no/swordfish', args: ['--key', 'swordfish'], redact });
    const error = await failureOf(connector());
    expect(error).toMatchObject({
      command: '/no/***',
      args: ['--key', '***'],
      message: expect.stringContaining('***'),
    });
    expect(inspect(error)).not.toContain('swordfish');
  });

  it.each([
    [{ code: 'EMFILE' }, /too many files are open \(EMFILE\)/],
    [{ code: 'EAGAIN' }, /no room for another process/],
    [{ code: 'EWHATEVER' }, /refused \(EWHATEVER\)/],
    [undefined, /the system refused$/],
  ])('explains %j without a look at the files', (cause, message) => {
    expect(explainSpawnFailure(cause, checkParameters({ command: 'a' })).message).toMatch(message);
  });

  it.each([
    ['E2BIG', 'its arguments and environment are too long for the system (E2BIG); shorten them, or use a file'],
    ['EMFILE', 'too many files are open (EMFILE); close connections, or raise the limit'],
    ['ENFILE', 'too many files are open (ENFILE); close connections, or raise the limit'],
    ['EAGAIN', 'the system has no room for another process (EAGAIN); end some, or raise the limit'],
    ['EACCES', 'permission denied (EACCES); make the file executable, or start it with its interpreter as command'],
    ['EPERM', 'permission denied (EACCES); make the file executable, or start it with its interpreter as command'],
    ['ENOENT', 'no such program was found (ENOENT); install it, give its full path as command, or check PATH in env'],
  ])('says of %s what it is, and what to do about it', (code, reason) => {
    const { message } = explainSpawnFailure(
      Object.assign(new Error('spawn'), { code }),
      checkParameters({ command: 'a' }),
    );
    expect(message.slice(-reason.length)).toBe(reason);
  });

  it.each([null, 'ENOENT', 5, {}])('says that the system refused where it gave no code: %p', (cause) => {
    expect(explainSpawnFailure(cause, checkParameters({ command: 'a' })).message).toMatch(/: the system refused$/);
  });

  it('takes a backslash for the sign of a path as well', () => {
    const { message } = explainSpawnFailure({ code: 'ENOENT' }, checkParameters({ command: 'no\\program' }));
    expect(message).toMatch(/there is no file ".*no\\\\program" \(ENOENT\); check the path$/);
  });

  it('knows a program with a space in its name from one that is given with its arguments', () => {
    const spaced = join(folder, 'bad interpreter');
    writeFileSync(spaced, '#!/no/such/interpreter\n');
    const explained = (command: string, cwd?: string): string =>
      explainSpawnFailure({ code: 'ENOENT' }, checkParameters({ command, cwd })).message;
    const installs = /exists, but the interpreter its first line names was not found \(ENOENT\); install that$/;
    expect(explained(spaced)).toMatch(installs);
    expect(explained('./bad interpreter', folder)).toMatch(installs);
    expect(explained('./bad interpreter')).toMatch(/its arguments go into args, one by one, and not into command$/);
  });

  it('knows a directory, seen from the cwd, from a file, and from a program of the same name on the PATH', () => {
    const explained = (command: string): string =>
      explainSpawnFailure({ code: 'EACCES' }, checkParameters({ command, cwd: folder })).message;
    expect(explained('./directory')).toMatch(/it is a directory \(EACCES\); name the program inside it$/);
    expect(explained('directory')).toMatch(/permission denied/);
    expect(explained('./none')).toMatch(/permission denied/);
  });

  it('says what to do about a working directory', () => {
    const explained = (cwd: string): string =>
      explainSpawnFailure({ code: 'ENOENT' }, checkParameters({ command: 'cat', cwd })).message;
    expect(explained(join(folder, 'none'))).toMatch(/none" does not exist; create it, or give another cwd$/);
    expect(explained(join(folder, 'plain'))).toMatch(/plain", given as cwd, is not a directory; give one$/);
    expect(explained(folder)).toMatch(/no such program was found/);
    // What cannot even be looked at is no reason.
    expect(explained(join(folder, 'x'.repeat(300)))).toMatch(/no such program was found/);
  });

  it('takes secrets out of each text of the system’s error, and out of nothing that is none', () => {
    const redact = (text: string): string => text.replaceAll('swordfish', '***');
    const error = Object.assign(new Error('spawn swordfish'), {
      code: 'EWHATEVER',
      errno: -2,
      syscall: 'spawn swordfish',
      path: 'swordfish',
      spawnargs: ['swordfish'],
    });
    error.stack = 'Error: spawn swordfish';
    const { cause } = explainSpawnFailure(error, checkParameters({ command: 'a', args: ['swordfish', 'b'], redact }));
    expect(cause).toBe(error);
    expect({ ...error, message: error.message, stack: error.stack }).toEqual({
      code: 'EWHATEVER',
      errno: -2,
      message: 'spawn ***',
      stack: 'Error: spawn ***',
      syscall: 'spawn ***',
      path: '***',
      spawnargs: ['***', 'b'],
    });
    const bare = { code: 'EWHATEVER' };
    explainSpawnFailure(bare, checkParameters({ command: 'a', redact }));
    expect(bare).toEqual({ code: 'EWHATEVER' });
  });
});
