import { describe, expect, it } from '@jest/globals';
import { Problems } from '../../src/config/problem.js';
import { readServer } from '../../src/config/read-server.js';

const AROUND = { env: {}, projectDir: '/work/app', home: '/home/me' };

const read = (raw: Readonly<Record<string, unknown>>) => {
  const problems = new Problems();
  const server = readServer(raw, '/s', AROUND, problems);
  return { server, problems: problems.all.map(({ level, path }) => `${level} ${path}`), all: problems.all };
};

describe('an entry of a server that is started', () => {
  it('is read as the clients write it', () => {
    const raw = { type: 'stdio', command: 'npx', args: ['-y', 'x'], env: { A: '1' }, cwd: '/srv' };
    expect(read(raw)).toMatchObject({
      server: { transport: 'stdio', command: 'npx', args: ['-y', 'x'], env: { A: '1' }, cwd: '/srv' },
      problems: [],
    });
    expect(read({ command: 'npx' }).server).toEqual({ transport: 'stdio', command: 'npx' });
  });

  it.each([
    ['sub', '/work/app/sub'],
    ['.', '/work/app'],
    ['~/x', '/home/me/x'],
    ['~', '/home/me'],
    ['~x', '/work/app/~x'],
  ])('stands in its project: %s', (cwd, whole) => {
    expect(read({ command: 'x', cwd }).server).toMatchObject({ cwd: whole });
  });

  it('takes numbers and switches as texts, and notes it; null removes a variable', () => {
    expect(read({ command: 'x', args: [1], env: { PORT: 3000, ON: true, OFF: null } })).toMatchObject({
      server: { args: ['1'], env: { PORT: '3000', ON: 'true', OFF: undefined } },
      problems: ['note /s/args/0', 'note /s/env/PORT', 'note /s/env/ON'],
    });
  });

  it.each([
    [{ comand: 'x' }, 'there is neither a command nor a url: give one of them; did you mean "command" by "comand"?'],
    [{ URI: 'http://h' }, 'there is neither a command nor a url: give one of them; did you mean "url" by "URI"?'],
    [{ nonsense: 'x' }, 'there is neither a command nor a url: give one of them'],
  ])('guesses what was meant by a key that is not known: %j', (raw, message) => {
    expect(
      read(raw)
        .all.filter(({ level }) => level === 'error')
        .map((error) => error.message),
    ).toEqual([message]);
  });

  it('warns where a whole command line stands in place of the program', () => {
    const { server, all } = read({ command: 'npx -y server' });
    expect(server).toMatchObject({ command: 'npx -y server' });
    expect(all).toMatchObject([{ level: 'warning', path: '/s/command' }]);
    expect(all[0]?.message).toMatch(/give npx alone/);
    expect(read({ command: '/Program Files/x y' }).problems).toEqual([]);
  });

  it.each([
    [{}, 'error /s', /neither a command nor a url/],
    [{ command: 'x', url: 'http://h' }, 'error /s', /say which with type/],
    [{ type: 'stdio', url: 'http://h' }, 'error /s/command', /name the program/],
    [{ command: ['npx', 'x'] }, 'error /s/command', /give a text/],
    [{ command: ' ' }, 'error /s/command', /it is empty; name the program/],
    [{ command: 'x', args: 'y' }, 'error /s/args', /give a list of texts/],
    [{ command: 'x', args: ['a', {}] }, 'error /s/args/1', /item 2 is no text/],
    [{ command: 'x', env: ['A=1'] }, 'error /s/env', /give an object of texts/],
    [{ command: 'x', env: { 'A/B': {} } }, 'error /s/env/A~1B', /"A\/B" is no text/],
    [{ command: 'x', env: { 'A=B': '1' } }, 'error /s/env', /cannot be the name of a variable/],
    [{ command: 'x', cwd: '' }, 'error /s/cwd', /it is empty/],
    [{ command: 'a\0b' }, 'error /s/command', /NUL/],
    [{ type: 'grpc', command: 'x' }, 'error /s/type', /give one of 'stdio', 'http'/],
    [{ transport: 'ws', url: 'x' }, 'error /s/transport', /give one of 'stdio', 'http'/],
  ])('that cannot be used is a problem with its path: %j', (raw, problem, message) => {
    const { problems, all } = read(raw);
    expect(problems).toEqual([problem]);
    expect(all[0]?.message).toMatch(message);
  });
});

describe('an entry of a server behind a URL', () => {
  it.each([
    [{ url: 'http://h/mcp' }, 'http'],
    [{ serverUrl: 'http://h/mcp' }, 'http'],
    [{ httpUrl: 'http://h/mcp' }, 'http'],
    [{ type: 'http', url: 'http://h/mcp' }, 'http'],
    [{ type: 'streamable-http', url: 'http://h/mcp' }, 'http'],
    [{ transport: 'sse', url: 'http://h/mcp' }, 'sse'],
  ])('is read as the clients write it: %j', (raw, transport) => {
    expect(read(raw)).toMatchObject({ server: { transport, url: 'http://h/mcp' }, problems: [] });
  });

  it('has headers', () => {
    expect(read({ url: 'http://h', headers: { 'X-A': 'b', 'X-N': 1, 'X-No': null } })).toMatchObject({
      server: { headers: { 'X-A': 'b', 'X-N': '1' } },
      problems: ['note /s/headers/X-N'],
    });
  });

  it.each([
    [{ type: 'http' }, 'error /s/url', /give the URL of its MCP endpoint/],
    [{ type: 'http', serverUrl: 5 }, 'error /s/serverUrl', /serverUrl: give a text/],
    [{ serverUrl: 'localhost:3000' }, 'error /s/serverUrl', /did you forget http/],
    [{ url: 'https://u:p@h/' }, 'error /s/url', /carries no credentials/],
    [{ url: 'http://h', headers: 'X: y' }, 'error /s/headers', /give an object of texts/],
    [{ url: 'http://h', headers: { 'a b': 'c' } }, 'error /s/headers', /"a b" is no name of a header/],
  ])('that cannot be used is a problem with its path: %j', (raw, problem, message) => {
    const { problems, all } = read(raw);
    expect(problems).toEqual([problem]);
    expect(all[0]?.message).toMatch(message);
  });
});

describe('what any entry may say', () => {
  it('is read, also where a variable made a text of a number', () => {
    const raw = { command: 'x', timeout: 5_000, overlap: 'never', maxOutputTokens: '900', allowedTools: ['a'] };
    expect(read({ ...raw, disabledTools: ['b'] })).toMatchObject({
      server: {
        ...{ timeoutMs: 5_000, overlap: 'never', maxOutputTokens: 900 },
        ...{ allowedTools: ['a'], blockedTools: ['b'] },
      },
      problems: [],
    });
  });

  it.each([
    [{ timeout: 0 }, 'error /s/timeout'],
    [{ timeout: '5s' }, 'error /s/timeout'],
    [{ timeout: 60 }, 'warning /s/timeout'],
    [{ maxOutputTokens: 0.5 }, 'error /s/maxOutputTokens'],
    [{ overlap: 'always' }, 'error /s/overlap'],
    [{ allowedTools: 'a' }, 'error /s/allowedTools'],
    [{ excludeTools: [{}] }, 'error /s/excludeTools/0'],
    [{ disabled: 'yes' }, 'error /s/disabled'],
    [{ autoApprove: [] }, 'note /s/autoApprove'],
    [{ envFile: '.env' }, 'warning /s/envFile'],
    [{ toString: 1 }, 'note /s/toString'],
  ])('is a problem with its path where it is odd: %j', (raw, problem) => {
    expect(read({ command: 'x', ...raw }).problems).toEqual([problem]);
  });

  it.each([[{ disabled: true }], [{ disabled: 'true' }], [{ enabled: false }]])('switches it off: %j', (raw) => {
    expect(read({ ...raw, nonsense: 1 })).toMatchObject({ server: 'disabled', problems: [] });
  });

  it('counts null as absent', () => {
    const raw = { command: 'x', args: null, env: null, cwd: null, url: null, timeout: null, disabled: null };
    expect(read(raw)).toMatchObject({ server: { transport: 'stdio', command: 'x' }, problems: [] });
  });
});
