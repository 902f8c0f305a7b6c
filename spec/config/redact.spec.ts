import { describe, expect, it } from '@jest/globals';
import { redactArgs, redactUrl } from '../../src/config/redact.js';

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
