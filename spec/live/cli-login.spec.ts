// The command logs in to a server behind a URL, whose authorization server is a real one, and uses the tokens afterwards.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Oidc, startOidc } from '../support/auth/oidc.js';
import { appears } from '../support/child-processes.js';
import { startOidcServer } from '../support/auth/oidc-server.js';
import {
  buildsCommand,
  describeAtTerminal,
  RUN_MS,
  type Run,
  runCommand,
  serverLine,
  startAtTerminal,
  startCommand,
} from '../support/cli/command.js';
import { peer } from '../support/http/peer.js';
import { serve } from '../support/http/loopback.js';

buildsCommand();

let tokens: string;
beforeEach(() => {
  tokens = mkdtempSync(join(tmpdir(), 'rx-mcp-tokens-'));
  const browser = join(tokens, 'xdg-open');
  writeFileSync(
    browser,
    `#!/bin/sh\nprintf %s "$1" > '${tokens}/opening' && mv '${tokens}/opening' '${tokens}/opened'\n`,
  );
  chmodSync(browser, 0o755);
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
});
afterEach(() => {
  rmSync(tokens, { recursive: true, force: true });
  jest.restoreAllMocks();
});

/** What would open a browser is a script that keeps what it was to open. */
const options = () => ({
  env: { RX_MCP_TOKENS: join(tokens, 'kept'), PATH: `${tokens}${delimiter}${process.env['PATH'] ?? ''}` },
});

const start = async () => {
  const oidc = await startOidc();
  return { oidc, ...(await startOidcServer(oidc)) };
};

/** The page that the command wants opened, as it wrote it. */
const pageOf = (run: Run): string => {
  const [page] = /https?:\/\/\S*redirect_uri=\S+/.exec(run.err()) ?? [];
  return page ?? '';
};

/** Somebody signs in and agrees, in a browser. */
const browse = async (oidc: Oidc, page: string): Promise<void> => {
  const redirectUri = new URL(page).searchParams.get('redirect_uri') ?? '';
  await fetch(await oidc.browse(page, redirectUri));
};

describe('rx-mcp login', () => {
  it(
    'has somebody log in, keeps the tokens for later runs, and forgets them at logout',
    async () => {
      const { oidc, url, tokens: used } = await start();
      const refused = await runCommand(['list', '--url', url], options());
      expect(refused).toMatchObject({ code: 4, out: '' });
      expect(refused.err).toContain(`log in: rx-mcp login --url ${url}`);

      const run = startCommand(['login', '--url', url], options());
      await run.saying('open this page to authorize at');
      await run.saying('redirect_uri=');
      await run.saying('\n');
      await browse(oidc, pageOf(run));
      const login = await run.ended;
      expect(login.code).toBe(0);
      expect(login.out).toContain('logged in to');

      expect(readdirSync(join(tokens, 'kept')).filter((name) => name.endsWith('.json'))).not.toEqual([]);

      const list = await runCommand(['list', '--url', url, '--json'], options());
      expect(list.code).toBe(0);
      expect(used.length).toBeGreaterThan(0);
      const said = login.out + login.err + list.out + list.err;
      for (const token of used) expect(said).not.toContain(token.split(' ')[1]);

      const logout = await runCommand(['logout', '--url', url], options());
      expect(logout).toMatchObject({ code: 0, out: expect.stringContaining('logged out of') });
      expect((await runCommand(['list', '--url', url], options())).code).toBe(4);
    },
    RUN_MS,
  );

  it(
    'tells its steps as JSON',
    async () => {
      const { oidc, url } = await start();
      const run = startCommand(['login', '--url', url, '--json'], options());
      await run.saying('open this page to authorize at');
      await run.saying('redirect_uri=');
      await run.saying('\n');
      await browse(oidc, pageOf(run));
      const { out, code } = await run.ended;
      expect(code).toBe(0);
      const states = out
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { status: string }).status);
      expect(states[0]).toBe('discovering');
      expect(states.at(-1)).toBe('authorized');
    },
    RUN_MS,
  );

  it(
    'says where nothing is to be logged in to',
    async () => {
      const open = await serve(peer({ era: 'modern' }));
      expect(await runCommand(['login', '--url', open.url], options())).toMatchObject({
        code: 0,
        out: expect.stringContaining('needs no login'),
      });
      const started = await runCommand(['login', '--stdio', serverLine('workshop-stdio.mjs', 'dual')], options());
      expect(started).toMatchObject({ code: 2, err: expect.stringContaining('only servers behind URLs') });
      const byHand = ['login', '--url', open.url, '--header', 'Authorization: Bearer x'];
      expect(await runCommand(byHand, options())).toMatchObject({ code: 2 });
    },
    RUN_MS,
  );

  it(
    'ends by Ctrl-C while it waits',
    async () => {
      const { url } = await start();
      const run = startCommand(['login', '--url', url], options());
      await run.saying('redirect_uri=');
      run.child.kill('SIGINT');
      expect((await run.ended).code).toBe(130);
    },
    RUN_MS,
  );
});

describeAtTerminal('a server that wants a login, at a terminal', () => {
  it(
    'has the user asked before a browser opens, and the call goes on',
    async () => {
      const { oidc, url } = await start();
      const run = startAtTerminal(['list', '--url', url], options());
      await run.saying('wants you to log in:');
      await run.saying('host: ');
      await run.saying('[y]es, [c]ancel: ');
      run.type('y\r');
      await run.saying('Go on in your browser');
      await appears(join(tokens, 'opened'));
      await browse(oidc, readFileSync(join(tokens, 'opened'), 'utf8'));
      expect((await run.ended).code).toBe(0);
    },
    RUN_MS,
  );

  it(
    'is not reached where the user does not agree',
    async () => {
      const { url } = await start();
      const run = startAtTerminal(['list', '--url', url], options());
      await run.saying('[y]es, [c]ancel: ');
      run.type('c\r');
      expect((await run.ended).code).toBe(4);
    },
    RUN_MS,
  );
});
