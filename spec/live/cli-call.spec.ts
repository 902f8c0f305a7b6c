// The command as a process, without a terminal, on real servers: what it asks of one.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  programFile,
  publishedEntry,
  publishedLine,
  RUN_MS,
  runCommand,
  serverEntry,
  serverLine,
  startCommand,
} from '../support/cli/command.js';
import { runWithin } from '../support/cli/within.js';
import { publishedHttp } from '../support/servers/published-http.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'rx-mcp-call-')));
  writeFileSync(join(folder, 'notes.txt'), 'buy milk\n');
  writeFileSync(
    join(folder, '.mcp.json'),
    JSON.stringify({
      mcpServers: {
        workshop: serverEntry('workshop-stdio.mjs', 'dual'),
        files: { ...publishedEntry('mcp-server-filesystem', folder), blockedTools: ['write_file'] },
        locked: { command: 'node', env: { API_TOKEN: '${A_VARIABLE_THAT_IS_NOT_SET}' } },
        off: { command: 'node', disabled: true },
        keyed: { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer 1234567890abcdef' } },
      },
    }),
  );
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const here = (...args: readonly string[]) => runWithin(args, { cwd: folder });

describe('rx-mcp', () => {
  it.each([[['--version']], [['-V']]])('prints its version: %j', async (args) => {
    expect(await runCommand(args)).toEqual({ out: `${version}\n`, err: '', code: 0 });
  });

  it.each([
    [['--help'], 'Usage: rx-mcp [options] [command]'],
    [['call', '--help'], 'Usage: rx-mcp call [options] <server> <tool> [name=value ...]'],
    [['help', 'doctor'], 'Usage: rx-mcp doctor [options] [server ...]'],
    ...['list', 'read', 'prompt', 'watch', 'inspect'].map((name): [string[], string] => [
      [name, '-h'],
      `Usage: rx-mcp ${name}`,
    ]),
  ])('has help, with examples and exit codes: %j', async (args, usage) => {
    const { out, err, code } = await runWithin(args);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(out).toContain(usage);
    expect(out).toMatch(/Examples:\n {2}\$ rx-mcp/);
    expect(out).toContain('4    the server could not be started or reached');
  });

  it('shows its help on stderr, as a usage error, where nothing is asked of it', async () => {
    const { out, err, code } = await runCommand([]);
    expect({ out, code }).toEqual({ out: '', code: 2 });
    expect(err).toContain('Usage: rx-mcp');
  });

  it.each([
    [['lst'], 2, /unknown command 'lst'\n\(Did you mean list\?\)/],
    [['list', '--config', 'no-such.json'], 3, /no-such\.json: there is no such file/],
    [['list'], 3, /no config with servers was found\n {2}give one with --config/],
    [
      ['list', '--stdio', 'no-such-command-at-all'],
      4,
      /"no-such-command-at-all" could not be started: no such program/,
    ],
    [['list', '--url', 'http://127.0.0.1:1/mcp'], 4, /ECONNREFUSED[^\n]*\n {2}nothing listens there: start the server/],
    [
      ['list', '--stdio', `node -e 'console.error("I have no key"); process.exit(3)'`],
      4,
      /exited with code 3; on stderr:\n {2}I have no key\n/,
    ],
    [
      ['list', '--stdio', 'node -e "setInterval(() => {}, 1e3)"', '--timeout', '0.2'],
      4,
      /it runs, but answered nothing within 0\.2 s/,
    ],
  ])(
    'says what is wrong, and ends with a code that tells its kind: %j',
    async (args, code, says) => {
      const ended = await runCommand(args);
      expect({ out: ended.out, code: ended.code }).toEqual({ out: '', code });
      expect(ended.err).toMatch(says);
    },
    RUN_MS,
  );

  it.each<[string[], RegExp]>([
    [['list', '--jsn'], /unknown option '--jsn'/],
    [['list', '--timeout', 'soon'], /--timeout: "soon" is no number of seconds/],
    [['watch', 'x', '--log-level', 'loud'], /Allowed choices are debug, info/],
    [['list', '--stdio', 'a', '--url', 'http://b'], /give one of them/],
    [['list', '--stdio', "a 'b"], /the quote ' in "a 'b" has no end/],
    [['list', '--stdio', ' '], /--stdio: give the command/],
    [['list', '--url', 'localhost:3000'], /--url: .* did you forget http:\/\/\?/],
    [['list', '--url', 'http://localhost', '--header', 'sk-1234567890'], /^error: --header: write "Name: value"\n$/],
    [['list', 'x', '--header', 'A: b'], /--header goes with --url/],
    [['call', '--stdio', 'node'], /which tool\?/],
    [['call', '--stdio', 'node', 'tool', 'word'], /"word" is no argument/],
    [['call', '--stdio', 'node', 'tool', '--args', '[1]'], /--args: give an object/],
    [['call', '--stdio', 'node', 'tool', '--args', '{'], /--args: "\{" is no JSON/],
  ])('says what is wrong with a command line: %j', async (args, says) => {
    const { out, err, code } = await runWithin(args);
    expect({ out, code }).toEqual({ out: '', code: 2 });
    expect(err).toMatch(says);
  });

  it('tells a failure as JSON where JSON is wanted', async () => {
    const { out, err, code } = await runCommand(['list', '--url', 'http://127.0.0.1:1/mcp', '--json']);
    expect({ err, code }).toEqual({ err: '', code: 4 });
    expect(JSON.parse(out)).toEqual({
      error: {
        name: 'NetworkError',
        message: expect.stringContaining('ECONNREFUSED'),
        remedy: expect.stringContaining('start the server'),
        exitCode: 4,
      },
    });
  });
});

describe('a server that refuses some of its lists', () => {
  const REFUSED = ['its prompts could not be listed: no prompts/list with [redacted]'].concat(
    'its resources could not be listed: no resources/list with [redacted]',
  );
  const entry = { ...serverEntry('boastful-stdio.mjs'), env: { A_TOKEN: 'hunter2-hunter2' } };
  let file: string;
  beforeAll(() => {
    file = join(folder, 'boastful.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { boastful: entry } }));
  });

  it(
    'is listed with the others, and a warning for each',
    async () => {
      const { out, err, code } = await runCommand(['list', 'boastful', '--config', file]);
      expect({ err, code }).toEqual({ err: REFUSED.map((one) => `warning ${one}\n`).join(''), code: 0 });
      expect(out).toMatch(/^tools\n {2}work\(\)\nresource templates\n {2}boast:/m);
    },
    RUN_MS,
  );

  it(
    'is listed as JSON with the warnings in it',
    async () => {
      const { out, err, code } = await runCommand(['list', 'boastful', '--config', file, '--json']);
      expect({ err, code }).toEqual({ err: '', code: 0 });
      expect(JSON.parse(out)).toMatchObject({
        tools: [{ name: 'work' }],
        prompts: [],
        resources: [],
        warnings: REFUSED,
      });
    },
    RUN_MS,
  );

  it.each([
    ['call', /"boastful" has no tool ""/],
    ['read', /^error: uri: give a string that is not empty\n$/],
  ])(
    'is sent nothing that has no name by %s',
    async (name, says) => {
      const { err, code } = await runCommand([name, 'boastful', '', '--config', file]);
      expect(code).toBe(2);
      expect(err).toMatch(says);
    },
    RUN_MS,
  );
});

describe('the bound of a call', () => {
  const EVERYTHING = publishedEntry('mcp-server-everything');
  /** Far longer than any bound here, with reports all the time. */
  const WORK = ['trigger-long-running-operation', 'duration=600', 'steps=6000'];

  it.each([
    ['its entry', { ...EVERYTHING, timeout: 1_000 }, {}],
    ['MCP_TOOL_TIMEOUT', EVERYTHING, { MCP_TOOL_TIMEOUT: '1000' }],
  ])(
    'is that of %s, whatever the server reports',
    async (_of, entry, env) => {
      const config = join(folder, 'bound.json');
      writeFileSync(config, JSON.stringify({ mcpServers: { slow: entry } }));
      const { err, code } = await runCommand(['call', '--config', config, 'slow', ...WORK], { env });
      expect(code).toBe(1);
      expect(err).toContain('error: "slow": MCP tool call timed out after 1 s');
    },
    RUN_MS,
  );
});

(process.platform === 'linux' ? describe : describe.skip)('a machine that lacks something', () => {
  const shell = (line: string) =>
    promisify(execFile)('sh', ['-c', line], { env: { PATH: process.env['PATH'] ?? '' } }).then(
      ({ stdout, stderr }) => ({ out: stdout, err: stderr, code: 0 }),
      ({ stdout, stderr, code }: { stdout: string; stderr: string; code: number }) => ({
        out: stdout,
        err: stderr,
        code,
      }),
    );
  const command = (...args: readonly string[]): string =>
    [process.execPath, programFile(), ...args].map((word) => `'${word}'`).join(' ');

  it(
    'is told where there is no room for what it has to say',
    async () => {
      const { err, code } = await shell(`${command('list', '--config', join(folder, '.mcp.json'))} >/dev/full`);
      expect({ err, code }).toEqual({
        err: expect.stringContaining('error: the results could not be written: ENOSPC'),
        code: 1,
      });
    },
    RUN_MS,
  );

  it(
    'is told where the folder that it was started in is gone, and helps all the same',
    async () => {
      const gone = mkdtempSync(join(tmpdir(), 'rx-mcp-gone-'));
      const { err, code } = await shell(`cd '${gone}' && rmdir '${gone}' && ${command('list')}`);
      expect({ err, code }).toEqual({
        err: 'error: the folder that this was started in is gone\n  change to another one\n',
        code: 2,
      });
    },
    RUN_MS,
  );
});

describe('the servers of a config', () => {
  it('are listed without being started, and without their secrets', async () => {
    const { out, code } = await here('list');
    expect(code).toBe(0);
    expect(out).toContain(`5 servers in ${join(folder, '.mcp.json')}`);
    expect(out).toMatch(/^workshop +stdio +\S*node /m);
    expect(out).toMatch(/^locked +failed +env\/API_TOKEN: the variable A_VARIABLE/m);
    expect(out).toMatch(/^off +disabled +switched off$/m);
    const { out: json } = await here('list', '--json');
    const { servers } = JSON.parse(json);
    expect(servers.map(({ name, state }: { name: string; state: string }) => `${name} ${state}`)).toEqual([
      ...['workshop usable', 'files usable', 'locked failed', 'off disabled', 'keyed usable'],
    ]);
    expect(out + json).not.toContain('1234567890abcdef');
  });

  it('are found from a folder below', async () => {
    const deep = join(folder, 'src', 'deep');
    mkdirSync(deep, { recursive: true });
    expect((await runCommand(['list'], { cwd: deep })).out).toContain(`5 servers in ${join(folder, '.mcp.json')}`);
  });

  it.each([
    ['wrkshop', /has no server "wrkshop"; did you mean "workshop"\?/],
    ['nothing-like-it', /has no server "nothing-like-it"; there are "workshop", "files"/],
    ['off', /the server "off" is switched off\n {2}take "disabled" out of/],
    ['locked', /the variable A_VARIABLE_THAT_IS_NOT_SET is not set/],
  ])('are not taken for others: %s', async (name, says) => {
    const { out, err, code } = await here('list', name);
    expect({ out, code }).toEqual({ out: '', code: 3 });
    expect(err).toMatch(says);
  });

  it(
    'offer what their entry offers, and no more',
    async () => {
      const { out } = await here('list', 'files');
      expect(out).toContain('  read_text_file(path: string, tail?: number, head?: number)');
      expect(out).not.toContain('  write_file(');
      expect(out).toContain('1 tool more that the config does not offer');
      const { err, code } = await here('call', 'files', 'write_file', 'path=x', 'content=y');
      expect(code).toBe(2);
      expect(err).toContain('the config does not offer the tool "write_file" of "files"');
    },
    RUN_MS,
  );

  it(
    'are called by the names that hosts show, too',
    async () => {
      const path = `path=${join(folder, 'notes.txt')}`;
      const own = await here('call', 'files', 'read_text_file', path);
      expect(own).toEqual({ out: 'buy milk\n', err: '', code: 0 });
      expect(await here('call', 'FILES', 'mcp__files__read_text_file', path)).toEqual(own);
    },
    RUN_MS,
  );
});

// In one era by a process, in the other within this one.
describe.each([
  ['modern', runCommand],
  ['legacy', runWithin],
] as const)('a server of the %s era over stdio', (era, runs) => {
  const line = serverLine('workshop-stdio.mjs', era);

  it(
    'is listed with all it has',
    async () => {
      const { out, err, code } = await runs(['list', '--stdio', line]);
      expect({ err, code }).toEqual({ err: '', code: 0 });
      expect(out.split('\n')).toEqual([
        `node  workshop 1.2.3  ${era === 'modern' ? '2026-07-28' : '2025-11-25'} (${era})`,
        ...['tools', '  add(a: number, b: number)', '      Adds two numbers', '  saw(cuts: integer)'],
        ...['      Reports and logs each cut', '  wait(id: string)'],
        ...[
          '      Reports once and then waits until nobody wants it any more',
          '  journal()',
          '      What happened here',
        ],
        ...[
          '  fail()',
          '      Fails as a result',
          'prompts',
          '  order(piece, wood)',
          '      Orders a piece of furniture',
        ],
        ...['resources', '  workshop://motto  motto', '      Over the door', 'resource templates'],
        ...['  workshop://tools/{name}  tool', '      A tool on the wall', ''],
      ]);
    },
    RUN_MS,
  );

  it(
    'has its tools called with arguments of their kinds',
    async () => {
      expect(await runs(['call', '--stdio', line, 'add', 'a=1', 'b=2.5'])).toEqual({
        out: '3.5\n',
        err: '',
        code: 0,
      });
      expect(await runs(['call', '--stdio', line, 'add', '--args', '{"a": 1, "b": 1}', 'b=2'])).toMatchObject({
        out: '3\n',
      });
      const { out } = await runs(['call', '--stdio', line, 'add', 'a=1', 'b=2', '--json']);
      expect(JSON.parse(out)).toMatchObject({ content: [{ type: 'text', text: '3' }], structuredContent: { sum: 3 } });
    },
    RUN_MS,
  );

  it.each([
    [['ad', 'a=1'], 'error: "node" has no tool "ad"; did you mean "add"?\n'],
    [['add', 'b=2'], 'error: the tool "add" needs the argument "a"\n  a (number, required)\n'],
    [['add', 'a=one', 'b=2'], 'error: a: "one" is not of the kind number\n  a (number, required)\n'],
    [
      ['add', 'a=1', 'c=2'],
      'error: the tool "add" has no argument "c"; there are "a", "b"\n  to send it all the same, write c:=json\n',
    ],
    [['add', 'a=1', 'a=2', 'b=1'], 'error: a is given twice\n  a (number, required)\n'],
  ])(
    'is not called with what cannot be meant: %j',
    async (words, says) => {
      expect(await runWithin(['call', '--stdio', line, ...words])).toEqual({ out: '', err: says, code: 2 });
    },
    RUN_MS,
  );

  it(
    'has its failure told on stderr, and by the exit code',
    async () => {
      const says = 'failed: the tool "fail" says:\nthe blade broke\n';
      expect(await runs(['call', '--stdio', line, 'fail'])).toEqual({ out: '', err: says, code: 1 });
      const { out, code } = await runs(['call', '--stdio', line, 'fail', '--json']);
      expect([JSON.parse(out).isError, code]).toEqual([true, 1]);
    },
    RUN_MS,
  );

  it(
    'is quiet without a terminal, and tells progress and logs where it is asked to',
    async () => {
      expect(await runs(['call', '--stdio', line, 'saw', 'cuts=2'])).toEqual({
        out: '2 cuts\n',
        err: '',
        code: 0,
      });
      const { out, err } = await runs(['call', '--stdio', line, 'saw', 'cuts=2', '--verbose']);
      expect(out).toBe('2 cuts\n');
      const lines = err.trimEnd().split('\n');
      expect(lines).toEqual(
        expect.arrayContaining([`stderr  workshop: ${era}`, 'info    cut 2', 'progress 2 of 2  cut 2 of 2']),
      );
      expect(err).not.toContain('sawdust');
      const { err: all } = await runs(['call', '--stdio', line, 'saw', 'cuts=1', '-v', '--log-level', 'debug']);
      expect(all).toContain('debug   sawdust\n');
    },
    RUN_MS,
  );

  it(
    'has its resources read and its prompts filled in',
    async () => {
      expect(await runs(['read', '--stdio', line, 'workshop://motto'])).toEqual({
        out: 'measure twice, cut once\n',
        err: '',
        code: 0,
      });
      const { out } = await runs(['read', '--stdio', line, 'workshop://tools/saw', '--json']);
      expect(JSON.parse(out)).toMatchObject({ contents: [{ uri: 'workshop://tools/saw', text: 'a saw' }] });
      expect(await runs(['read', '--stdio', line, 'workshop://mott'])).toMatchObject({ out: '', code: 1 });
      const order = ['prompt', '--stdio', line, 'order', 'piece=table'];
      expect(await runs([...order, 'wood=oak'])).toEqual({
        out: 'user:\nBuild a table of oak.\n',
        err: '',
        code: 0,
      });
      expect(await runs(order)).toEqual({
        out: '',
        err: 'error: the prompt "order" needs the argument "wood"\n  wood (required)\n',
        code: 2,
      });
      expect(await runs(['prompt', '--stdio', line, 'ordr'])).toMatchObject({
        code: 2,
        err: expect.stringContaining('did you mean "order"?'),
      });
    },
    RUN_MS,
  );
});

describe('a published server over HTTP', () => {
  it(
    'is listed, called and read',
    async () => {
      const { origin } = await publishedHttp('mcp-server-everything', ['streamableHttp'], /listening on port/);
      const url = ['--url', `${origin}/mcp`];
      const listed = JSON.parse((await runCommand(['list', ...url, '--json'])).out);
      expect(listed).toMatchObject({
        server: { era: 'legacy' },
        tools: expect.arrayContaining([expect.objectContaining({ name: 'echo' })]),
      });
      expect(await runCommand(['call', ...url, 'echo', 'message=hi there'])).toEqual({
        out: 'Echo: hi there\n',
        err: '',
        code: 0,
      });
      const image = await runCommand(['call', ...url, 'get-tiny-image']);
      expect(image.out).toMatch(/\[image image\/png, [\d.]+ (bytes|KiB)\]\n/);
      const read = await runCommand(['read', ...url, listed.resources[0].uri]);
      expect(read).toMatchObject({ err: '', code: 0 });
      expect(await runCommand(['list', '--url', `${origin}/no-such-path`])).toMatchObject({
        code: 4,
        err: expect.stringContaining('there is no server at this path'),
      });
    },
    RUN_MS,
  );
});

describe('somebody who stops reading', () => {
  it(
    'ends the command quietly, and its server with it',
    async () => {
      const run = startCommand(['watch', '--stdio', publishedLine('mcp-server-everything', 'stdio')]);
      run.child.stdout?.destroy();
      expect(await run.ended).toMatchObject({ err: '', code: 0 });
    },
    RUN_MS,
  );
});
