import { describe, expect, it } from '@jest/globals';
import { describeServer, redactArgs, redactorOf, redactUrl } from '../../src/config/redact.js';
import type { ServerConfig } from '../../src/config/server-config.js';

const R = '[redacted]';

describe('redactUrl', () => {
  it.each([
    ['https://example.com/mcp', 'https://example.com/mcp'],
    ['https://me:pw@example.com:8080/mcp', `https://${R}@example.com:8080/mcp`],
    ['https://example.com/mcp?api_key=abc&b=&c', `https://example.com/mcp?api_key=${R}&b=${R}&c`],
    ['https://example.com/mcp#token=abc', 'https://example.com/mcp'],
    ['https://example.com/s/0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d/mcp', `https://example.com/s/${R}/mcp`],
    ['http://a-very-long-name-of-a-server.example/streamable-http-endpoint', undefined],
    ['http://user:pw@[bad/x?key=abc', `http://${R}@[bad/x?key=${R}`],
  ])('tells of %s what may be told', (url, told = url) => {
    expect(redactUrl(url)).toBe(told);
  });
});

describe('redactArgs', () => {
  it.each([
    [['-y', 'server', '--port', '3000'], undefined],
    [
      ['--token', 'abc', 'x'],
      ['--token', R, 'x'],
    ],
    [
      ['--api-key', 'abc'],
      ['--api-key', R],
    ],
    [['--apiKey=abc'], [`--apiKey=${R}`]],
    [
      ['-e', 'GITHUB_TOKEN=abc', '-e', 'PORT=1'],
      ['-e', `GITHUB_TOKEN=${R}`, '-e', 'PORT=1'],
    ],
    [['-e', 'GITHUB_TOKEN', 'image'], undefined],
    [['--no-auth', '--port', '1'], undefined],
    [
      ['-H', 'Authorization: Bearer abc'],
      ['-H', `Authorization: ${R}`],
    ],
    [
      ['--header', 'X-Any:abc', '--header=Accept: text/plain'],
      ['--header', `X-Any:${R}`, '--header=Accept: text/plain'],
    ],
    [['https://u:p@h/x?k=v'], [`https://${R}@h/x?k=${R}`]],
    [['--env=API_KEY=abc'], [`--env=API_KEY=${R}`]],
    [['x=x='.repeat(9_999)], undefined],
    [['--db=postgres://u:p@h/x'], [`--db=postgres://${R}@h/x`]],
    [['ghp_0123456789abcdef0123'], [R]],
  ])('tells of %j what may be told', (args, told = args) => {
    expect(redactArgs(args)).toEqual(told);
  });
});

describe('describeServer', () => {
  it('masks the secrets of a process, and leaves the config as it was', () => {
    const server: ServerConfig = {
      transport: 'stdio',
      command: 'npx',
      args: ['--token', 'abc'],
      env: { API_KEY: 'abc', PORT: '1', DATABASE_URL: 'postgres://u:p@h/x', GONE: undefined },
      timeoutMs: 5,
    };
    const before = structuredClone(server);
    expect(describeServer(server)).toEqual({
      ...server,
      args: ['--token', R],
      env: { API_KEY: R, PORT: '1', DATABASE_URL: `postgres://${R}@h/x`, GONE: undefined },
    });
    expect(server).toEqual(before);
    expect(describeServer({ transport: 'stdio', command: 'x' })).toEqual({ transport: 'stdio', command: 'x' });
  });

  it('masks the secrets of a URL and its headers', () => {
    const headers = { Authorization: 'Bearer abc', 'X-Tenant': 'me', Accept: 'text/plain' };
    expect(describeServer({ transport: 'http', url: 'https://h/x?k=v', headers })).toEqual({
      ...{ transport: 'http', url: `https://h/x?k=${R}` },
      headers: { Authorization: R, 'X-Tenant': R, Accept: 'text/plain' },
    });
  });
});

describe('a redactor', () => {
  it('takes the values that are secret in a config out of any text', () => {
    const redact = redactorOf(
      {
        transport: 'stdio',
        command: 'x',
        args: ['--token', 'alpha-1', '--key=beta-22', 'plain-arg'],
        env: { SECRET: 'gam"ma', PORT: '3000', TINY_KEY: 'on' },
      },
      ['delta/4 4'],
    );
    expect(redact('alpha-1, beta-22 {"v":"gam\\"ma"} delta%2F4%204 plain-arg 3000 on')).toBe(
      `${R}, ${R} {"v":"${R}"} ${R} plain-arg 3000 on`,
    );
  });

  it('knows the token of a header without its scheme, and what is in a URL', () => {
    const redact = redactorOf({
      transport: 'http',
      url: 'https://user:pass-word@h/x?k=query-value',
      headers: { Authorization: 'Bearer abcdefgh1' },
    });
    expect(redact('bad abcdefgh1; query-value of user at pass-word')).toBe(`bad ${R}; query-value of user at ${R}`);
  });

  it('knows what is secret inside of URLs, headers and pairs among arguments and variables', () => {
    const redact = redactorOf({
      transport: 'stdio',
      command: 'x',
      args: ['-H', 'X-Any: in-a-header', '--url=https://in-a-user@h/?key=in-a-key', '--env=MY_TOKEN=in-a-pair'],
      env: { DATABASE_URL: 'postgres://me:in%2Ba%2Burl@h/db' },
    });
    for (const secret of ['in-a-header', 'in-a-user', 'in-a-key', 'in-a-pair', 'in+a+url', 'in%2Ba%2Burl']) {
      expect(redact(`refused ${secret} of me`)).toBe(`refused ${R} of me`);
    }
  });

  it.each([
    ['Authorization: Bearer abcdefg1', `Authorization: Bearer ${R}`],
    ['api_key=abc, "password": "abc"', `api_key=${R}, "password": "${R}"`],
    ['sent sk-abcdefghijklmnop0123 to it', `sent ${R} to it`],
    ['eyJhbGciOiJI.eyJzdWIi.c2ln', R],
    ['GET https://u:p@h/a?key=1&n=2 failed', `GET https://${R}@h/a?key=${R}&n=${R} failed`],
  ])('knows secrets by their looks: %s', (text, told) => {
    expect(redactorOf()(text)).toBe(told);
  });

  it.each([
    'Error: listen EADDRINUSE: address already in use 127.0.0.1:3000',
    'the variable GITHUB_TOKEN is not set: set it, or give a default with ${GITHUB_TOKEN:-…}',
    'Cannot find module /srv/app/server.js',
    'MCP tool call timed out after 5 s',
    'Error: invalid token: expired',
    'the bearer authentication was refused, a token required here is missing',
    'SOME_API_KEY: missing',
  ])('leaves alone what is none: %s', (text) => {
    expect(redactorOf()(text)).toBe(text);
  });

  it('takes time linear in the length of a text', () => {
    const redact = redactorOf(undefined, ['secret-value']);
    for (const part of ['a', 'key=', '://', 'eyJ', '?a=b&', ' ', '=', '"']) {
      expect(typeof redact(part.repeat(20_000))).toBe('string');
    }
  }, 5_000);
});
