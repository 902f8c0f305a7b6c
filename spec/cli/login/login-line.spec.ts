import { describe, expect, it } from '@jest/globals';
import { loginLine, mayLogIn } from '../../../src/cli/login/login-line.js';

const url = 'https://example.com/mcp';
const http = (more: object = {}) => ({ transport: 'http' as const, url, ...more });

describe('what is typed to log in', () => {
  it.each([
    ['tickets', undefined, 'rx-mcp login tickets'],
    ['my tickets', undefined, "rx-mcp login 'my tickets'"],
    ["it's", 'my config.json', `rx-mcp login 'it'\\''s' --config 'my config.json'`],
    ['$(reboot)', undefined, "rx-mcp login '$(reboot)'"],
    ['-v', undefined, "rx-mcp login '-v'"],
  ])('names a server of a config as a shell takes it: %s', (key, config, line) => {
    expect(loginLine({ key, server: http(), fromConfig: true }, { config })).toBe(line);
  });

  it('names a URL, unless there is a secret in it', () => {
    const line = (one: string) => loginLine({ key: 'h', server: http({ url: one }), fromConfig: false }, {});
    expect(line(url)).toBe(`rx-mcp login --url ${url}`);
    expect(line(`${url}?key=abc`)).toBe('rx-mcp login --url <url>');
  });

  it('is nothing for a process, and where a header authorizes, in whatever case', () => {
    const stdio = { transport: 'stdio', command: 'x' } as const;
    const headed = http({ headers: { AUTHORIZATION: 'Bearer x' } });
    for (const server of [stdio, headed])
      expect([loginLine({ key: 'k', server, fromConfig: true }, {}), mayLogIn(server)]).toEqual([undefined, false]);
    expect(mayLogIn(http({ headers: { 'X-A': 'b' } }))).toBe(true);
  });
});
