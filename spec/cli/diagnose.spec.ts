import { describe, expect, it } from '@jest/globals';
import { AuthorizationError } from '../../src/auth/index.js';
import { diagnose, wantsLogin } from '../../src/cli/diagnose.js';
import {
  HttpError,
  InvalidMessageError,
  NetworkError,
  ProtocolError,
  ServerGoneError,
  SpawnFailedError,
  TimeoutError,
  TransportError,
  UnauthorizedError,
  UnsupportedVersionError,
} from '../../src/errors/index.js';

const STDIO = { server: { transport: 'stdio', command: 'node' }, stderrTail: [] } as const;
const HTTP = { server: { transport: 'http', url: 'http://x' }, stderrTail: [] } as const;

const network = (code: string, deep = false): NetworkError => {
  const cause = Object.assign(new Error(`failed: ${code}`), { code });
  return new NetworkError(
    'https://x',
    deep ? new Error('fetch failed', { cause: new AggregateError([cause]) }) : cause,
    false,
  );
};

describe('diagnose', () => {
  it.each([
    ['ECONNREFUSED', /nothing listens there/],
    ['ENOTFOUND', /no such host/],
    ['EAI_AGAIN', /no such host/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS/],
    ['CERT_HAS_EXPIRED', /must renew it/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /another host/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /begins with http:\/\//],
    ['UND_ERR_CONNECT_TIMEOUT', /firewall/],
    ['ECONNRESET', /begins with https:\/\//],
    ['EUNHEARDOF', undefined],
  ])('knows what to do about %s, however deep it is', (code, remedy) => {
    for (const deep of [false, true]) {
      const found = diagnose(network(code, deep), HTTP);
      expect(found.problem).toContain('could not be reached');
      if (remedy === undefined) expect(found.remedy).toBeUndefined();
      else expect(found.remedy).toMatch(remedy);
    }
  });

  it.each([
    [401, /header Authorization/],
    [403, /refuses/],
    [404, /no server at this path/],
    [405, /takes no such requests/],
    [429, /too busy/],
    [503, /look at its log/],
    [418, /is this an MCP server/],
  ])('knows what to do about HTTP %i, also where JSON-RPC carried it', (status, remedy) => {
    const refusal = new HttpError(status, '', '');
    expect(diagnose(refusal, HTTP).remedy).toMatch(remedy);
    expect(diagnose(new ProtocolError(-32000, 'no', undefined, refusal), HTTP).remedy).toMatch(remedy);
  });

  it('asks for credentials where they are missing', () => {
    expect(diagnose(new UnauthorizedError('Bearer', 'https://x'), HTTP)).toMatchObject({
      problem: 'https://x wants authorization: Bearer',
      remedy: expect.stringContaining('header Authorization'),
    });
  });

  it('says how to log in, and that a key may be meant where the server does not say how', () => {
    const around = { ...HTTP, login: 'rx-mcp login x' };
    const how = new UnauthorizedError('Bearer resource_metadata="https://x/y"', 'https://x');
    expect(diagnose(how, around)).toEqual({ problem: 'needs authorization', remedy: 'rx-mcp login x' });
    expect(diagnose(new UnauthorizedError('Bearer', 'https://x'), around).remedy).toMatch(
      /^rx-mcp login x; if it takes a key: give the header Authorization/,
    );
  });

  it.each([
    ['denied', /^rx-mcp login x$/],
    ['cancelled', /^rx-mcp login x$/],
    ['client', /oauth\.clientId/],
    ['discovery', /header Authorization/],
    ['pkce', undefined],
  ] as const)('knows what to do about an authorization that failed: %s', (problem, remedy) => {
    const error = new AuthorizationError(problem, 'why');
    for (const failure of [error, new TransportError(error, 'authProvider')]) {
      const found = diagnose(failure, { ...HTTP, login: 'rx-mcp login x' });
      expect(found.problem).toBe('needs authorization, and could not get it: why');
      if (remedy === undefined) expect(found.remedy).toBeUndefined();
      else expect(found.remedy).toMatch(remedy);
      expect(wantsLogin(failure)).toBe(true);
    }
    expect(wantsLogin(new Error('other'))).toBe(false);
  });

  it('says that the port of the redirect is in use', () => {
    const cause = Object.assign(new Error('listen'), { code: 'EADDRINUSE' });
    expect(diagnose(new TransportError(cause, 'redirectUri'), HTTP).remedy).toContain('oauth.callbackPort');
  });

  it('says where a program comes from that is missing', () => {
    const cause = Object.assign(new Error('spawn'), { code: 'ENOENT' });
    const missing = (command: string, reason = 'no such program was found (ENOENT)') =>
      diagnose(new SpawnFailedError(command, [], reason, cause), STDIO);
    expect(missing('uvx')).toEqual({
      problem: '"uvx" could not be started: no such program was found (ENOENT)',
      remedy: 'uv brings it: https://docs.astral.sh/uv',
    });
    expect(missing('/opt/npx').remedy).toContain('Node.js');
    expect(missing('unheard-of').remedy).toBeUndefined();
    // It is the folder that is missing then.
    expect(missing('npx', 'the working directory "/x" does not exist').remedy).toBeUndefined();
  });

  it.each([
    [new ServerGoneError(3, null, 'x', 'one\ntwo'), 'it exited with code 3; on stderr:\n  one\n  two', /what it wrote/],
    [new ServerGoneError(null, 'SIGSEGV', 'x', ''), 'it was ended by SIGSEGV, and wrote nothing to stderr', /by hand/],
    [new ServerGoneError(null, null, 'x', ''), 'it closed its output, and wrote nothing to stderr', /by hand/],
    [
      new ServerGoneError(1, null, 'x', '1\n2\n3\n4\n5\n6\n7'),
      'it exited with code 1; on stderr:\n  3\n  4\n  5\n  6\n  7',
      /wrote/,
    ],
  ])('tells how a server ended, with its last words', (error, problem, remedy) => {
    expect(diagnose(error, STDIO)).toEqual({ problem, remedy: expect.stringMatching(remedy) });
  });

  it('tells one that is slow from one that is no server, as far as that can be seen', () => {
    const late = new TimeoutError('server()', undefined, 3_000);
    expect(diagnose(late, STDIO).problem).toBe('it runs, but answered nothing within 3 s');
    expect(diagnose(late, { ...STDIO, stderrTail: ['loading'] }).problem).toMatch(
      /within 3 s; on stderr:\n {2}loading/,
    );
    expect(diagnose(late, { ...STDIO, junk: 'hi' }).problem).toMatch(/no MCP message, such as "hi"$/);
    expect(diagnose(late, HTTP)).toMatchObject({ problem: 'it did not answer within 3 s' });
    expect(diagnose(undefined, STDIO, 500).problem).toMatch(/within 0\.5 s/);
  });

  it('has something to say of all else', () => {
    expect(diagnose(new UnsupportedVersionError(['2'], ['1']), HTTP).remedy).toMatch(/update/);
    expect(diagnose(new InvalidMessageError('initialize', 1, 'no'), HTTP).remedy).toMatch(/fault of the server/);
    expect(diagnose(new Error('plain'), HTTP)).toEqual({ problem: 'plain' });
    expect(diagnose('thrown', HTTP)).toEqual({ problem: 'thrown' });
  });
});
