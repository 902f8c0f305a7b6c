import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { firstValueFrom, skipWhile } from 'rxjs';
import { connectStdio, type StdioOptions } from '../../src/bridge/stdio.js';
import { EraCache, type McpClient, ServerGoneError } from '../../src/index.js';
import { allGone, isRunning } from '../support/child-processes.js';

jest.setTimeout(60_000);

const CHILD = fileURLToPath(new URL('../support/children/opening.mjs', import.meta.url));

type Behaviour = 'answer' | 'refuse' | 'die' | 'silence';

let folder = '';
let clients: McpClient[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rx-mcp-opening-'));
  clients = [];
});

afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  rmSync(folder, { recursive: true });
});

const file = (): string => join(folder, 'log');

const entries = (): readonly { readonly pid?: number; readonly start?: number; readonly method?: string }[] =>
  readFileSync(file(), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** The processes that were started so far, in order. */
const pids = (): readonly number[] => entries().flatMap(({ pid }) => (pid === undefined ? [] : [pid]));

/** What each of them was sent, in order. */
const asked = (): readonly string[] =>
  entries().flatMap(({ start, method }) => (method === undefined ? [] : [`#${start} ${method}`]));

const client = (
  opening: { readonly discover?: readonly Behaviour[]; readonly initialize?: readonly Behaviour[] },
  options: Partial<StdioOptions> = {},
): McpClient => {
  const made = connectStdio({
    command: process.execPath,
    args: [CHILD, file(), JSON.stringify(opening)],
    eraCache: new EraCache(),
    ...options,
  });
  clients.push(made);
  return made;
};

const gone = async (promise: Promise<unknown>): Promise<ServerGoneError> => {
  const reason: unknown = await promise.catch((error: unknown) => error);
  expect(reason).toBeInstanceOf(ServerGoneError);
  return reason as ServerGoneError;
};

describe('case 6: a server that dies of any request before initialize', () => {
  it('is served, by one restart', async () => {
    const mcp = client({ discover: ['die'] });
    const { era, protocolVersion, info } = await mcp.promises.server();
    expect([era, protocolVersion, info?.name]).toEqual(['legacy', '2025-11-25', 'raw']);
    expect((await mcp.promises.listTools()).map(({ name }) => name)).toEqual(['add']);
    expect(pids()).toHaveLength(2);
    expect(asked()).toEqual(['#1 server/discover', '#2 initialize', '#2 notifications/initialized', '#2 tools/list']);
    expect(isRunning(pids()[0] as number)).toBe(false);
    await mcp.close();
    await allGone(...pids());
  });

  it('is started once, and asked to initialize at once, when the same client needs it again', async () => {
    const mcp = client({ discover: ['die'] });
    await mcp.promises.server();
    const ended = firstValueFrom(mcp.state$.pipe(skipWhile(({ status }) => status !== 'failed')));
    process.kill(pids()[1] as number, 'SIGKILL');
    await ended;
    await mcp.promises.listTools();
    expect(pids()).toHaveLength(3);
    expect(asked().filter((line) => line.startsWith('#3'))).toEqual([
      '#3 initialize',
      '#3 notifications/initialized',
      '#3 tools/list',
    ]);
  });

  it('is no verdict for anybody else: another client with the same memory probes for itself', async () => {
    const eraCache = new EraCache();
    await client({ discover: ['die', 'answer', 'answer'] }, { eraCache }).promises.server();
    const { era } = await client({ discover: ['die', 'answer', 'answer'] }, { eraCache }).promises.server();
    expect(era).toBe('modern');
    expect(asked().filter((line) => line.startsWith('#3'))).toEqual(['#3 server/discover']);
  });

  it('and dies of initialize as well is gone, with its code and its last words; there is no third', async () => {
    const error = await gone(client({ discover: ['die'], initialize: ['die'] }).promises.server());
    expect(error).toMatchObject({ exitCode: 3, signal: null, command: process.execPath });
    expect(error.stderrTail).toBe('fatal: expected initialize, got initialize (start 2)');
    expect(asked()).toEqual(['#1 server/discover', '#2 initialize']);
    await allGone(...pids());
    expect(pids()).toHaveLength(2);
  });

  it('for a passing reason, and then refuses initialize, is modern: the same process is asked', async () => {
    const mcp = client({ discover: ['die', 'answer'], initialize: ['refuse'] });
    expect(await mcp.promises.era()).toBe('modern');
    expect(asked()).toEqual(['#1 server/discover', '#2 initialize', '#2 server/discover']);
  });

  it('and, once it has refused initialize, dies of the probe again is gone', async () => {
    const error = await gone(client({ discover: ['die'], initialize: ['refuse'] }).promises.server());
    expect(error.stderrTail).toBe('fatal: expected initialize, got server/discover (start 2)');
    expect(pids()).toHaveLength(2);
    await allGone(...pids());
  });

  it('is not probed where the legacy era is pinned', async () => {
    expect(await client({ discover: ['die'] }, { era: 'legacy' }).promises.era()).toBe('legacy');
    expect(asked()[0]).toBe('#1 initialize');
    expect(asked().filter((line) => line.includes('discover'))).toEqual([]);
    expect(pids()).toHaveLength(1);
  });

  it('is gone with its first death where the modern era is pinned', async () => {
    const error = await gone(client({ discover: ['die'] }, { era: 'modern' }).promises.server());
    expect(error.stderrTail).toBe('fatal: expected initialize, got server/discover (start 1)');
    expect(pids()).toHaveLength(1);
  });

  it('is gone with its first death where it may not be restarted', async () => {
    const mcp = client({ discover: ['die'] }, { restart: false });
    const error = await gone(mcp.promises.server());
    expect(error.exitCode).toBe(3);
    expect(pids()).toHaveLength(1);
    expect(mcp.alive).toBe(false);
  });

  it('is started anew by the next use, from the beginning, after both have died', async () => {
    const mcp = client({ discover: ['die', 'die', 'answer'], initialize: ['die'] });
    await gone(mcp.promises.server());
    expect(await mcp.promises.era()).toBe('modern');
    expect(asked()).toEqual(['#1 server/discover', '#2 initialize', '#3 server/discover']);
  });
});
