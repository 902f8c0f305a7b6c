// The examples of the README that close their client, run as they stand there: nothing they begin is cut off.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, jest } from '@jest/globals';
import ts from 'typescript';
import { AuthorizationError, oauth } from '../../src/auth/index.js';
import { fileTokenStore, loopbackRedirect } from '../../src/auth/node/index.js';
import { connectStdio, type StdioOptions } from '../../src/bridge/stdio.js';
import * as root from '../../src/index.js';
import { startOidc } from '../support/auth/oidc.js';
import { startGuarded } from '../support/auth/guarded.js';
import { type Handler, reply, serve } from '../support/http/loopback.js';
import { peer } from '../support/http/peer.js';
import { temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(60_000);

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);
const closing = examples.filter((text) => text.includes('.close()') && !text.includes('portTransport'));

type Run = (names: object) => Promise<void>;

/** An example as a function of what it imports. */
const runnable = (text: string): Run => {
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const code = ts.transpile(text.replace(/^import .*$/gm, ''), options).replace('export {};', '');
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  return new Function('names', `with (names) { return (async () => {${code}})(); }`) as Run;
};

/** Runs an example; what it wrote, by the console's method. */
const run = async (text: string, names: object): Promise<(readonly [method: string, ...what: unknown[]])[]> => {
  const written: (readonly [string, ...unknown[]])[] = [];
  const log =
    (method: string) =>
    (...what: unknown[]) => {
      written.push([method, ...what]);
    };
  await runnable(text)({ ...root, ...names, console: { log: log('log'), error: log('error') } });
  return written;
};

describe('an example of the README that closes its client', () => {
  it('is one of these', () => {
    expect(closing.map((text) => /connect(?:Stdio|Http)\(/.exec(text)?.[0])).toEqual([
      'connectStdio(',
      'connectHttp(',
      'connectHttp(',
    ]);
  });

  it('has its answers by then: the first call, against the server it names', async () => {
    const [first = ''] = closing;
    const command = fileURLToPath(new URL('../../node_modules/.bin/mcp-server-everything', import.meta.url));
    const started: StdioOptions[] = [];
    const written = await run(first, {
      connectStdio: (options: StdioOptions) => {
        started.push(options);
        return connectStdio({ ...options, command, args: [], eraCache: new root.EraCache() });
      },
    });
    expect(started).toEqual([{ command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] }]);
    expect(written).toEqual([
      ['log', [{ type: 'text', text: 'Echo: hello' }]],
      ['log', expect.arrayContaining(['echo'])],
    ]);
  });

  describe('has its answers, or says why not: a server behind a URL', () => {
    const visit = async (handler: Handler, isDown = false): Promise<unknown> => {
      const [, second = ''] = closing;
      const server = await serve(handler);
      if (isDown) await server.close();
      const clients: root.McpClient[] = [];
      const connectHttp = (options: root.HttpOptions): root.McpClient => {
        clients.push(root.connectHttp({ ...options, url: server.url, eraCache: new root.EraCache() }));
        return clients[0] as root.McpClient;
      };
      const written = await run(second, { connectHttp }).finally(() => expect(clients[0]?.alive).toBe(false));
      return written;
    };

    it('that answers', async () => {
      const answer = { content: [{ type: 'text', text: expect.stringMatching(/^search/) }] };
      expect(await visit(peer({ era: 'modern' }))).toEqual([['log', expect.objectContaining(answer)]]);
    });

    it('that wants a token', async () => {
      const refusal: Handler = (_received, response) => reply(response, 401, '', { 'www-authenticate': 'Bearer' });
      expect(await visit(refusal)).toEqual([['log', 'wants', 'Bearer']]);
    });

    it('that fails', async () => {
      expect(await visit((_received, response) => reply(response, 501, 'no'))).toEqual([['log', 501, 'no', undefined]]);
    });

    it('that is not there', async () => {
      expect(await visit(() => undefined, true)).toEqual([
        ['log', expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp could not be reached: .*ECONNREFUSED/)],
      ]);
    });
  });

  it('has its answers by then: a server that wants an authorization, which somebody gives', async () => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    jest.spyOn(console, 'info').mockImplementation(() => undefined);
    const oidc = await startOidc();
    const { url, tokens } = await startGuarded(oidc);
    const directory = temporaryFolder();
    const browse = async (page: string): Promise<void> => {
      const redirectUri = new URL(page).searchParams.get('redirect_uri') ?? '';
      await fetch(await oidc.browse(page, redirectUri));
    };
    const [, , third = ''] = closing;
    const written = await run(third, {
      oauth,
      AuthorizationError,
      loopbackRedirect: () => loopbackRedirect({ open: browse }),
      fileTokenStore: () => fileTokenStore({ directory }),
      connectHttp: (options: root.HttpOptions) => root.connectHttp({ ...options, url, eraCache: new root.EraCache() }),
    });
    expect(written).toEqual([
      ['log', `${url} wants to be authorized at ${new URL(oidc.origin).host}`],
      ['log', expect.arrayContaining([expect.objectContaining({ name: 'look' })])],
    ]);
    expect(tokens.length).toBeGreaterThan(0);
    jest.restoreAllMocks();
  });
});
