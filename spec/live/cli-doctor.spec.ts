// Doctor, on a config of twenty servers: those that work wait for one another, so that only who starts all at once sees them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  describeAtTerminal,
  type Ended,
  publishedEntry,
  RUN_MS,
  runCommand,
  serverEntry,
  serverLine,
  startAtTerminal,
} from '../support/cli/command.js';
import { serve } from '../support/http/loopback.js';

/** How many of the servers meet: each of them answers nothing before all of them are up. */
const MEETING = 14;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rx-mcp-doctor-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const configOf = (name: string, mcpServers: object): string => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ mcpServers }));
  return file;
};

const meeting = (name: string): object => {
  const place = join(folder, name);
  mkdirSync(place);
  return Object.fromEntries(
    Array.from({ length: MEETING }, (_, index) => [
      `meets-${index + 1}`,
      serverEntry('rendezvous-stdio.mjs', place, `guest-${index + 1}`, String(MEETING)),
    ]),
  );
};

/** Those that do not work, each in its own way. */
const broken = {
  hangs: { command: process.execPath, args: ['-e', 'setInterval(() => undefined, 1000)'] },
  'no-command': { command: 'no-such-command-at-all' },
  'no-variable': { command: 'node', env: { TOKEN: '${A_VARIABLE_THAT_IS_NOT_SET}' } },
  refused: { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer 1234567890abcdef' } },
  dies: {
    command: process.execPath,
    args: ['-e', 'console.error("cannot sign in, API_KEY=abcdef1234567890"); process.exit(3)'],
  },
  off: { command: 'node', disabled: true },
};

interface Report {
  readonly server: string;
  readonly status: string;
  readonly [fact: string]: unknown;
}

describe('doctor on twenty servers', () => {
  let ended: Ended;
  let servers: readonly Report[];
  beforeAll(async () => {
    const config = configOf('twenty.json', { ...meeting('as-json'), ...broken });
    ended = await runCommand(['doctor', '--config', config, '--timeout', '20', '--json']);
    servers = JSON.parse(ended.out).servers;
  }, 2 * RUN_MS);

  const named = (name: string) => servers.find(({ server }) => server === name);

  it('examines all of them at once: those that wait for one another are well', () => {
    const well = servers.filter(({ status }) => status === 'ok');
    expect(well.map(({ server }) => server)).toEqual(
      Array.from({ length: MEETING }, (_, index) => `meets-${index + 1}`),
    );
    for (const report of well) {
      expect(report).toMatchObject({
        ...{ transport: 'stdio', era: 'modern', protocolVersion: '2026-07-28', tools: 1, warnings: [] },
        info: { name: expect.stringMatching(/^guest-/), version: '1.0.0' },
        connectMs: expect.any(Number),
        pingMs: expect.any(Number),
      });
    }
  });

  it('ends with 1, since not all are well, and keeps to stdout', () => {
    expect({ err: ended.err, code: ended.code }).toEqual({ err: '', code: 1 });
    expect(servers).toHaveLength(20);
  });

  it('gives up one that hangs when its time is over', () => {
    expect(named('hangs')).toMatchObject({
      status: 'failed',
      problem: 'it runs, but answered nothing within 20 s',
      remedy: expect.stringContaining('--timeout'),
    });
  });

  it('says what is wrong with each of the others, and what to do', () => {
    expect(named('no-command')).toMatchObject({
      status: 'failed',
      problem: expect.stringMatching(
        /^"no-such-command-at-all" could not be started: .*install it, give its full path/,
      ),
    });
    expect(named('no-variable')).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('the variable A_VARIABLE_THAT_IS_NOT_SET is not set'),
    });
    expect(named('refused')).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('ECONNREFUSED'),
      remedy: 'nothing listens there: start the server, or check host and port',
    });
    expect(named('dies')).toMatchObject({
      status: 'failed',
      problem: expect.stringMatching(/^it exited with code 3; on stderr:\n {2}cannot sign in, API_KEY=\[redacted\]$/),
    });
    expect(named('off')).toEqual({ server: 'off', status: 'disabled', warnings: [] });
  });

  it('tells no secret', () => {
    expect(ended.out).not.toMatch(/1234567890abcdef|abcdef1234567890/);
  });
});

describe('doctor for people', () => {
  it(
    'examines those alone that are named',
    async () => {
      const config = configOf('named.json', { workshop: serverEntry('workshop-stdio.mjs', 'dual'), ...broken });
      const { out, code } = await runCommand(['doctor', '--config', config, 'workshop', 'off', '--json']);
      expect(code).toBe(0);
      const { servers } = JSON.parse(out) as { servers: readonly Report[] };
      expect(servers.map(({ server, status }) => [server, status])).toEqual([
        ['workshop', 'ok'],
        ['off', 'disabled'],
      ]);
      const { err, code: unknown } = await runCommand(['doctor', '--config', config, 'wrkshop']);
      expect([err, unknown]).toEqual([expect.stringContaining('has no server "wrkshop"; did you mean "workshop"?'), 3]);
    },
    RUN_MS,
  );

  it(
    'prints a table that fits, what is wrong below, and a summary',
    async () => {
      const config = configOf('table.json', {
        workshop: serverEntry('workshop-stdio.mjs', 'dual'),
        'a server with a very long name that nobody types': publishedEntry('mcp-server-everything', 'stdio'),
        ...{ 'no-command': broken['no-command'], off: broken.off },
      });
      const { out, err, code } = await runCommand(['doctor', '--config', config], { env: { COLUMNS: '80' } });
      expect({ err, code }).toEqual({ err: '', code: 1 });
      const lines = out.split('\n');
      for (const line of lines.slice(1)) expect(line.length).toBeLessThanOrEqual(80);
      expect(out).toMatch(/^ok +workshop +2026-07-28 modern +5\/1\/1 +\d+ ms +\d+ ms +workshop 1\.2/m);
      expect(out).toMatch(/^ok +a server with a… +2025-11-25 legacy +\d+\/\d+\/\d+ /m);
      expect(out).toMatch(/^FAIL +no-command +not reached *$/m);
      expect(out).toMatch(/^off +off +switched off *$/m);
      expect(out).toMatch(/\nno-command\n {2}"no-such-command-at-all" could not be started: /);
      expect(lines.slice(-2)).toEqual(['4 servers: 2 ok, 1 failed, 1 switched off', '']);
    },
    RUN_MS,
  );

  it(
    'ends with 0 where all are well, and takes one server without a config',
    async () => {
      const { out, code } = await runCommand(['doctor', '--stdio', serverLine('workshop-stdio.mjs', 'legacy')]);
      expect(code).toBe(0);
      expect(out).toContain('1 server: 1 ok\n');
    },
    RUN_MS,
  );

  it.each([
    [401, /needs authorization: rx-mcp login --url http:\/\/\S+; if it\s+takes a key: give the header Authorization/],
    [404, /answered 404[^]*-> there is no server at this path/],
    [500, /answered 500[^]*-> the server, or what stands before it, failed/],
  ])(
    'knows what HTTP says with %i',
    async (status, says) => {
      const { url } = await serve((_received, response) => response.writeHead(status).end());
      const { out, code } = await runCommand(['doctor', '--url', url]);
      expect(code).toBe(1);
      expect(out).toMatch(says);
    },
    RUN_MS,
  );

  it(
    'knows one that is no server by what it writes',
    async () => {
      const config = configOf('chat.json', {
        chat: {
          command: process.execPath,
          args: ['-e', 'console.log("Listening on port 80"); setInterval(() => undefined, 1000)'],
        },
      });
      const { out, code } = await runCommand(['doctor', '--config', config, '--timeout', '1']);
      expect(code).toBe(1);
      expect(out.replace(/\s+/g, ' ')).toContain(
        'what it writes to stdout is no MCP message, such as "Listening on port 80"',
      );
    },
    RUN_MS,
  );

  it(
    'warns of what is odd and harms nothing',
    async () => {
      const config = configOf('odd.json', {
        odd: { ...serverEntry('workshop-stdio.mjs', 'legacy'), envFile: '.env' },
        chosen: { ...serverEntry('workshop-stdio.mjs', 'dual'), allowedTools: ['add', 'nope'] },
        noisy: {
          command: process.execPath,
          args: [join(process.cwd(), 'spec/support/children/field-server.mjs'), 'banner'],
        },
      });
      const { out, err, code } = await runCommand(['doctor', '--config', config]);
      expect(code).toBe(0);
      expect(err).toMatch(/^config warning \/mcpServers\/odd\/envFile: .*the file is not read/m);
      expect(out).toMatch(/^ok +chosen +\S+ modern +1\/1\/1 /m);
      expect(out).toMatch(/\nchosen\n {2}warning: allowedTools names "nope", which the server does not have\n/);
      expect(out).toMatch(/\nnoisy\n {2}warning: \d+ lines on its stdout are no messages, such as "Welcome to field/);
    },
    RUN_MS,
  );
});

describeAtTerminal('doctor at a terminal', () => {
  it(
    'shows how far it is, and takes that away',
    async () => {
      const config = configOf('terminal.json', meeting('at-terminal'));
      const { out, code } = await startAtTerminal(['doctor', '--config', config]).ended;
      expect(code).toBe(0);
      expect(out).toContain(`14 servers: 14 ok`);
      // The bar is drawn from 0 on, and its line cleared at the end.
      expect(out).toMatch(/doctor [█░]+ \d+% \d+\/14/);
      expect(out.lastIndexOf('\u001b[0J')).toBeGreaterThan(out.lastIndexOf('/14'));
    },
    RUN_MS,
  );
});
