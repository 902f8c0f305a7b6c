// The command and a real authorization server: a person logs in with a browser, and the tokens are used by later runs.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newFolder } from '../support/auth/folder.js';
import { type Guarded, startGuarded } from '../support/auth/guarded.js';
import { type Oidc, startOidc } from '../support/auth/oidc.js';
import { type Browser, installBrowser, visit } from '../support/cli/browser.js';
import {
  describeAtTerminal,
  type Run,
  RUN_MS,
  runCommand,
  serverLine,
  startAtTerminal,
  startCommand,
} from '../support/cli/command.js';
import { runWithin } from '../support/cli/within.js';
import { reply, serve } from '../support/http/loopback.js';
import { peer } from '../support/http/peer.js';
import { until } from '../support/http/turns.js';

let folder: string;
let tokens: string;
let env: Readonly<Record<string, string>>;
let oidc: Oidc;
let server: Guarded;
/** A config with the server, called `tickets`. */
let config: string;

const writeConfig = (entry: object): void => {
  writeFileSync(config, JSON.stringify({ mcpServers: { tickets: entry } }));
};

beforeEach(async () => {
  // It warns of what only matters in production.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  folder = await newFolder();
  tokens = join(folder, 'tokens');
  config = join(folder, 'servers.json');
  env = { RX_MCP_TOKENS: tokens, PATH: folder };
  oidc = await startOidc();
  server = await startGuarded(oidc);
  writeConfig({ type: 'http', url: server.url });
});
afterEach(() => {
  jest.restoreAllMocks();
});

const CONSENT = 'Open it in your browser? [y]es, [n]o: ';
const named = (...words: readonly string[]): readonly string[] => [...words, '--config', config];

/** The URL that a login without a terminal has somebody open. */
const pageOf = async (run: Run): Promise<string> => {
  await run.saying('open this page to log in to ');
  await run.saying('\n  ');
  await run.saying('\n');
  return /\n {2}(http\S+)\n/.exec(run.err())?.[1] ?? '';
};

/** The states that it told as JSON, when the last one is whole. */
const statesOf = (run: Run): readonly Record<string, unknown>[] =>
  run
    .out()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** The URL in the last of them. */
const pageInState = async (run: Run): Promise<string> => {
  await run.saying('"authorizing"');
  await run.saying('}\n');
  return String(statesOf(run).at(-1)?.['url']);
};

/** Logs in without a terminal, as somebody who opens the URL that is written. */
const logIn = async (words: readonly string[] = named('login', 'tickets')): Promise<void> => {
  const run = startCommand(words, { env });
  const url = await pageOf(run);
  expect(await visit(url)).toContain('<h1>Authorized</h1>');
  expect(await run.ended).toMatchObject({ code: 0 });
};

describe('login without a terminal', () => {
  it(
    'writes the URL and waits, keeps the tokens for their owner alone, and other runs use them',
    async () => {
      const run = startCommand(named('login', 'tickets'), { env });
      const url = await pageOf(run);
      expect(new URL(url).origin).toBe(oidc.origin);
      expect(await visit(url)).toContain('<h1>Authorized</h1>');
      const { out, err, code } = await run.ended;
      expect({ out, code }).toEqual({ out: `logged in to tickets; the tokens are kept in ${tokens}\n`, code: 0 });
      expect(err.split('\n').map((line) => line.trimEnd())).toEqual([
        'discovering  finding out where to log in',
        `registering  as rx-mcp, with ${oidc.origin}`,
        `authorizing  at ${new URL(oidc.origin).host}: it waits for you`,
        `open this page to log in to tickets, at ${new URL(oidc.origin).host}:`,
        `  ${url}`,
        'exchanging   fetching the tokens',
        'authorized   done, for tools:read',
        '',
      ]);
      for (const name of readdirSync(tokens)) expect(statSync(join(tokens, name)).mode & 0o777).toBe(0o600);

      expect(await runCommand(named('call', 'tickets', 'look'), { env })).toMatchObject({
        ...{ out: expect.stringContaining('look: '), err: '', code: 0 },
      });
      expect(await runCommand(['list', '--url', server.url], { env })).toMatchObject({ err: '', code: 0 });
      expect(await runCommand(named('doctor', '--json'), { env })).toMatchObject({ code: 0 });
      expect(oidc.events).toEqual(['success authorization_code']);
      expect(new Set(server.tokens).size).toBe(1);
    },
    RUN_MS,
  );

  it(
    'tells each state as an object with --json',
    async () => {
      const run = startCommand(named('login', 'tickets', '--json'), { env });
      await visit(await pageInState(run));
      expect(await run.ended).toMatchObject({ err: '', code: 0 });
      expect(statesOf(run).map(({ status }) => status)).toEqual([
        ...['discovering', 'registering', 'authorizing', 'exchanging', 'authorized'],
      ]);
      expect(run.out()).not.toContain(server.tokens[0]!.replace('Bearer ', ''));
    },
    RUN_MS,
  );

  it(
    'says that the authorization was refused',
    async () => {
      const refusing = await startOidc({ refuses: true });
      const { url } = await startGuarded(refusing);
      const run = startCommand(['login', '--url', url], { env });
      const page = await pageOf(run);
      expect(await visit(page)).toContain('<h1>Not authorized</h1>');
      const { out, err, code } = await run.ended;
      expect({ out, code }).toEqual({ out: '', code: 4 });
      expect(err).toMatch(
        /failed {7}not done\nerror: could not connect to "127.0.0.1:\d+": needs authorization, and could not get it: .*access_denied/,
      );
      expect(err).toContain(`\n  rx-mcp login --url ${url}\n`);
    },
    RUN_MS,
  );

  it(
    'ends by a signal while it waits, and keeps nothing',
    async () => {
      const run = startCommand(named('login', 'tickets'), { env });
      const url = await pageOf(run);
      run.child.kill('SIGINT');
      const { out, err, code } = await run.ended;
      expect({ out, code }).toEqual({ out: '', code: 130 });
      expect(err).toMatch(/cancelled\n$/);
      // Nobody listens there any longer.
      await expect(visit(url)).rejects.toThrow();
      expect(
        readdirSync(tokens)
          .map((name) => readFileSync(join(tokens, name), 'utf8'))
          .join(''),
      ).not.toContain('"tokens ');
    },
    RUN_MS,
  );

  it(
    'finds out where to log in to a server that protects its calls alone',
    async () => {
      server = await startGuarded(oidc, ['tools/call']);
      writeConfig({ url: server.url });
      const refused = await runWithin(named('call', 'tickets', 'look'), { env });
      expect(refused).toMatchObject({ out: '', code: 4 });
      expect(refused.err).toContain(`\n  rx-mcp login tickets --config ${config}\n`);
      await logIn();
      expect(await runWithin(named('call', 'tickets', 'look'), { env })).toMatchObject({ code: 0 });
    },
    RUN_MS,
  );

  it(
    'says where nobody has to log in, or already has',
    async () => {
      await logIn();
      expect(await runWithin(named('login', 'tickets'), { env })).toMatchObject({
        out: 'already logged in to tickets; to be somebody else, log out first\n',
        code: 0,
      });
      const open = await serve(peer({ era: 'modern' }));
      expect(await runWithin(['login', '--url', open.url], { env })).toMatchObject({
        ...{ out: `127.0.0.1:${String(open.port)} needs no login\n`, code: 0 },
      });
      expect(await runWithin(['login', '--url', open.url, '--json'], { env })).toMatchObject({
        ...{ out: `${JSON.stringify({ status: 'not-needed', server: open.url })}\n`, code: 0 },
      });
      const stdio = await runWithin(['login', '--stdio', serverLine('workshop-stdio.mjs', 'dual')], { env });
      expect(stdio).toMatchObject({ out: '', code: 2 });
      expect(stdio.err).toContain('needs no login');
    },
    RUN_MS,
  );

  it(
    'leaves a server alone whose entry has an Authorization header',
    async () => {
      writeConfig({ url: server.url, headers: { authorization: 'Bearer of-somebody' } });
      expect(await runWithin(named('login', 'tickets'), { env })).toMatchObject({ out: '', code: 3 });
      const { err, code } = await runWithin(named('list', 'tickets'), { env });
      expect(code).toBe(4);
      expect(err).toContain('it refuses the Authorization that it is given');
      expect(err).not.toContain('rx-mcp login');
      expect(err).not.toContain('of-somebody');
    },
    RUN_MS,
  );

  it(
    'uses the client and the port of the entry, and shows no secret',
    async () => {
      const probe = createServer().listen(0, '127.0.0.1');
      await once(probe, 'listening');
      const { port } = probe.address() as { port: number };
      probe.close();
      await once(probe, 'close');
      const own = await startOidc({
        clients: [
          {
            client_id: 'the-client',
            client_secret: 'a-secret-of-the-client',
            redirect_uris: [`http://localhost:${String(port)}/callback`],
            application_type: 'native',
            token_endpoint_auth_method: 'client_secret_basic',
            grant_types: ['authorization_code', 'refresh_token'],
          },
        ],
      });
      const guarded = await startGuarded(own);
      const oauth = { clientId: 'the-client', clientSecret: '${CLIENT_SECRET}', callbackPort: port };
      writeConfig({ url: guarded.url, oauth });
      env = { ...env, CLIENT_SECRET: 'a-secret-of-the-client' };
      const run = startCommand(named('login', 'tickets', '--json'), { env });
      const url = new URL(await pageInState(run));
      expect(url.searchParams.get('client_id')).toBe('the-client');
      expect(url.searchParams.get('redirect_uri')).toBe(`http://localhost:${String(port)}/callback`);
      await visit(url.href);
      const { out, err, code } = await run.ended;
      expect({ err, code }).toEqual({ err: '', code: 0 });
      expect(out).not.toContain('registering');
      const shown = await runWithin(named('list', '--json'), { env });
      expect(shown.out).toContain('"clientSecret":"[redacted]"');
      expect(out + shown.out + shown.err).not.toContain('a-secret-of-the-client');
      expect(await runWithin(named('call', 'tickets', 'look'), { env })).toMatchObject({ code: 0 });
    },
    RUN_MS,
  );
});

describe('without a login and without a terminal', () => {
  it.each([
    ['call', ['call', 'tickets', 'look']],
    ['read', ['read', 'tickets', 'a:b']],
    ['prompt', ['prompt', 'tickets', 'a']],
    ['list', ['list', 'tickets']],
    ['watch', ['watch', 'tickets']],
    ['inspect', ['inspect', 'tickets', '--once']],
  ])(
    '%s ends with 4, and says what to do',
    async (_name, words) => {
      const { err, code } = await runWithin(named(...words), { env });
      expect(code).toBe(4);
      expect(err).toBe(
        `error: could not connect to "tickets": needs authorization\n  rx-mcp login tickets --config ${config}\n`,
      );
    },
    RUN_MS,
  );

  it(
    'doctor says what to do, and never asks, not even at a terminal',
    async () => {
      const browser = installBrowser(folder);
      const said = { problem: 'needs authorization', remedy: `rx-mcp login tickets --config ${config}` };
      const { out, code } = await runWithin(named('doctor', '--json'), { env: { ...env, ...browser.env } });
      expect(code).toBe(1);
      expect(JSON.parse(out)).toMatchObject({ servers: [{ status: 'failed', ...said }] });
      const text = await runWithin(['doctor', '--url', server.url], { env });
      expect(text.out).toContain(`needs authorization: rx-mcp login --url ${server.url}`);
      expect(browser.opened()).toBeUndefined();
    },
    RUN_MS,
  );

  it(
    'a server that only wants a key is told apart',
    async () => {
      const keyed = await serve((_received, response) => reply(response, 401, 'no', { 'www-authenticate': 'Bearer' }));
      const { err, code } = await runWithin(['list', '--url', keyed.url], { env });
      expect(code).toBe(4);
      expect(err).toContain('if it takes a key: give the header Authorization');
    },
    RUN_MS,
  );
});

describe('logout', () => {
  it(
    'has the tokens revoked, and forgets them',
    async () => {
      await logIn();
      expect(await runWithin(named('call', 'tickets', 'look'), { env })).toMatchObject({ code: 0 });
      const headers = { authorization: server.tokens.at(-1) };
      expect(await oidc.admits(server.url, 'POST', headers)).toBe(true);
      expect(await runWithin(named('logout', 'tickets'), { env })).toMatchObject({
        ...{ out: 'logged out of tickets\n', err: '', code: 0 },
      });
      expect(await oidc.admits(server.url, 'POST', headers)).toBe(false);
      expect(await runWithin(named('call', 'tickets', 'look'), { env })).toMatchObject({ code: 4 });
      expect(await runWithin(named('logout', 'tickets', '--json'), { env })).toMatchObject({
        ...{ out: `${JSON.stringify({ status: 'not-logged-in', server: server.url })}\n`, code: 0 },
      });
    },
    RUN_MS,
  );
});

describeAtTerminal('at a terminal', () => {
  let browser: Browser;
  beforeEach(() => {
    browser = installBrowser(folder);
    env = { ...env, ...browser.env };
  });

  it(
    'a call asks to log in, opens the browser after a yes alone, and goes on',
    async () => {
      const run = startAtTerminal(named('call', 'tickets', 'look'), { env });
      await run.saying('tickets wants you to log in:');
      await run.saying(`host: ${new URL(oidc.origin).host}`);
      await run.saying(CONSENT);
      expect(browser.opened()).toBeUndefined();
      run.type('\r');
      await run.saying(CONSENT);
      expect(browser.opened()).toBeUndefined();
      run.type('y\r');
      await run.saying('look: ');
      const { out, code } = await run.ended;
      expect(code).toBe(0);
      const opened = browser.opened() ?? '';
      expect(new URL(opened).origin).toBe(oidc.origin);
      // What is opened is what was shown, whole.
      expect(out.replace(/\r\n/g, '')).toContain(opened);
      await until(() => browser.page().includes('<h1>Authorized</h1>'));
      expect(await runWithin(named('call', 'tickets', 'look'), { env })).toMatchObject({ err: '', code: 0 });
    },
    RUN_MS,
  );

  it.each([
    ['a no', 'n\r'],
    ['the end of what is typed', '\u0004'],
  ])(
    'is not logged in after %s, and is asked once',
    async (_how, typed) => {
      const run = startAtTerminal(named('call', 'tickets', 'look'), { env });
      await run.saying(CONSENT);
      run.type(typed);
      await run.saying('could not get it: you did not want to log in');
      await run.saying('rx-mcp login tickets');
      const { out, code } = await run.ended;
      expect(code).toBe(4);
      expect(out.split('wants you to log in').length).toBe(2);
      expect(browser.opened()).toBeUndefined();
    },
    RUN_MS,
  );

  it.each([
    ['while it asks', false],
    ['while it waits for the browser', true],
  ])(
    'Ctrl-C ends a login %s',
    async (_when, consents) => {
      browser = installBrowser(folder, true);
      const run = startAtTerminal(named('login', 'tickets'), { env });
      await run.saying(CONSENT);
      if (consents) {
        run.type('y\r');
        await run.saying('Ctrl-C gives up.');
        await until(() => browser.opened() !== undefined);
      }
      run.type('\u0003');
      const { out, code } = await run.ended;
      expect(code).toBe(130);
      expect(out).toMatch(/cancelled\r\n$/);
      if (consents) {
        const redirect = new URL(browser.opened() ?? '').searchParams.get('redirect_uri') ?? '';
        await expect(fetch(redirect)).rejects.toThrow('fetch failed');
      }
    },
    RUN_MS,
  );

  it(
    'leaves the page to the person where no browser can be opened, and waits',
    async () => {
      const bare = join(folder, 'bare');
      mkdirSync(bare);
      // What lends the terminal must be found all the same.
      for (const name of ['script', 'stty', 'sh']) {
        const there = ['/usr/bin', '/bin'].map((bin) => join(bin, name)).find((path) => existsSync(path));
        if (there !== undefined) symlinkSync(there, join(bare, name));
      }
      const run = startAtTerminal(named('login', 'tickets', '--json'), { env: { ...env, PATH: bare } });
      await run.saying('"authorizing"');
      await run.saying(CONSENT);
      run.type('y\r');
      await run.saying('No browser could be started: open the page yourself.');
      const [, url = ''] = /"url":"([^"]+)"/.exec(run.out().replace(/\r\n/g, '\n')) ?? [];
      await visit(url);
      await run.saying('"authorized"');
      expect((await run.ended).code).toBe(0);
    },
    RUN_MS,
  );
});
