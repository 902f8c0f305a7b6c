import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom } from 'rxjs';
import type { ManagedServer } from '../../src/config/managed/managed-server.js';
import { EraCache, OutcomeUnknownError, type ToolResult } from '../../src/index.js';
import { allGone, isRunning } from '../support/child-processes.js';
import { managed } from '../support/config/managed.js';
import { program } from '../support/programs/program.js';

const LEDGER = program('servers', 'ledger-stdio');

const folder = mkdtempSync(join(tmpdir(), 'rx-mcp-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A server that is started again as often as it is killed. */
const serve = async (era: 'modern' | 'legacy'): Promise<{ server: ManagedServer; ledger: string }> => {
  const ledger = join(folder, era);
  writeFileSync(ledger, '');
  const server = managed(
    'ledger',
    { command: process.execPath, args: [LEDGER, era, ledger] },
    { restartWindowMs: 1, restartDelayMs: 1, client: { eraCache: new EraCache(), era } },
  );
  expect(await server.start()).toMatchObject({ status: 'connected' });
  return { server, ledger };
};

const linesOf = (file: string): readonly string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);

/** Has the run of one call held, and the server killed as soon as it is. Resolves with its pid. */
const killDuring = async (server: ManagedServer, ledger: string, what: string, moment: string): Promise<number> => {
  writeFileSync(`${ledger}.hold`, `${what} ${moment}`);
  await firstValueFrom(server.client.stderr$.pipe(filter((line) => line === `held ${what}`)));
  const pid = server.pid as number;
  process.kill(pid, 'SIGKILL');
  return pid;
};

const CALLS = 6;

/** The calls of a round: each tool at each place, in the course of the rounds. */
const toolOf = (round: number, n: number): string => (((round >> (n % 4)) + n) % 2 === 0 ? 'enter' : 'look');

describe.each(['modern', 'legacy'] as const)('a %s server that is killed in the middle of a batch', (era) => {
  it('is started again: safe calls are repeated, others are told apart, and none runs twice; 25 times', async () => {
    const { server, ledger } = await serve(era);
    const expected: string[] = [];
    const pids: number[] = [];
    for (let round = 0; round < 25; round += 1) {
      const calls = Array.from({ length: CALLS }, (_, n) => ({
        id: `${round}-${n}`,
        name: `mcp__ledger__${toolOf(round, n)}`,
        arguments: { what: `${round}-${n}` },
      }));
      const victim = round % CALLS;
      const moment = round % 2 === 0 ? 'after' : 'before';
      const killed = killDuring(server, ledger, `${round}-${victim}`, moment);
      const results = (await server.promises.executeToolCalls(calls)) as readonly ToolResult[];
      pids.push(await killed);
      for (const [n, result] of results.entries()) {
        const isLost = n === victim && toolOf(round, n) === 'enter';
        expect(result).toMatchObject({ tool_call_id: `${round}-${n}`, is_error: isLost });
        if (isLost) expect(result.error).toBeInstanceOf(OutcomeUnknownError);
        else expect(result.content).toBe(`done: ${round}-${n}`);
        if (toolOf(round, n) === 'enter' && !(isLost && moment === 'before')) expected.push(`${round}-${n}`);
      }
    }
    // No line twice, none missing, in the order of the calls.
    expect(linesOf(ledger)).toEqual(expected);
    expect(new Set(pids).size).toBe(25);
    expect(pids.filter(isRunning)).toEqual([]);
    const last = server.pid as number;
    await server.stop();
    await allGone(last);
  }, 120_000);

  it('is started again: safe calls that ran beside each other are all repeated', async () => {
    const { server, ledger } = await serve(era);
    const calls = Array.from({ length: 12 }, (_, n) => ({
      id: String(n),
      name: 'mcp__ledger__look',
      arguments: { what: `all-${n}` },
    }));
    const killed = killDuring(server, ledger, 'all-2', 'before');
    const results = (await server.promises.executeToolCalls(calls)) as readonly ToolResult[];
    await killed;
    expect(results.map(({ content }) => content)).toEqual(calls.map((_, n) => `done: all-${n}`));
  });
});
