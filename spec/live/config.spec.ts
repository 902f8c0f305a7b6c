import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EMPTY, filter, firstValueFrom, map, switchMap } from 'rxjs';
import { type ManagedServers, openConfig } from '../../src/config/index.js';
import { EraCache, OutcomeUnknownError, ServerGoneError, TimeoutError, type ToolResult } from '../../src/index.js';
import { allGone } from '../support/child-processes.js';
import { rejection } from '../support/client/watch.js';
import { type PublishedHttp, publishedHttp } from '../support/servers/published-http.js';

const bin = (command: string): string => fileURLToPath(new URL(`../../node_modules/.bin/${command}`, import.meta.url));
const FIELD = fileURLToPath(new URL('../support/children/field-server.mjs', import.meta.url));

const field = (habit: string): object => ({ command: process.execPath, args: [FIELD, habit] });

describe('a config of five real servers and four that are none', () => {
  let folder: string;
  let servers: ManagedServers;
  let web: PublishedHttp;

  /** The next state of a server that has this status. */
  const becomes = (key: string, status: string) =>
    firstValueFrom(
      servers.status$.pipe(
        map((states) => states.get(key)),
        filter((state) => state?.status === status),
      ),
    );

  const call = async (name: string, args: object): Promise<ToolResult> => {
    const [result] = await servers.promises.executeToolCalls([{ id: name, name, arguments: args }]);
    return result as ToolResult;
  };

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'rx-mcp-config-')));
    writeFileSync(join(folder, 'note.txt'), 'a note\n');
    web = await publishedHttp('mcp-server-everything', ['streamableHttp'], /listening on port/, true);
    const file = join(folder, '.mcp.json');
    const config = {
      mcpServers: {
        files: { command: bin('mcp-server-filesystem'), args: ['${CLAUDE_PROJECT_DIR}'] },
        memory: { command: bin('mcp-server-memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
        thinking: { command: bin('mcp-server-sequential-thinking') },
        everything: { command: bin('mcp-server-everything'), blockedTools: ['get-env'] },
        'over http': {
          type: 'http',
          url: `${web.origin}/mcp`,
          headers: { Authorization: 'Bearer ${TOKEN_OF_THE_SPEC:-t0ken-of-nobody}' },
        },
        absent: { command: 'no-such-program-here', args: ['--token', 's3cret-value'] },
        hanging: field('silent'),
        mortal: field('second'),
        incomplete: { command: 'node', args: ['${NOBODY_SETS_THIS}'] },
      },
    };
    writeFileSync(file, `// The servers of a project\n${JSON.stringify(config)}`);
    servers = openConfig(file, { restartDelayMs: 1, client: { eraCache: new EraCache() } });
  });

  afterAll(async () => {
    const pids = [...servers.servers.values()].flatMap(({ pid }) => pid ?? []);
    expect(pids).toHaveLength(6);
    await servers.stop();
    await allGone(...pids);
    await web.stop();
    rmSync(folder, { recursive: true });
  });

  it('has all of them usable while one still hangs at its start', async () => {
    await Promise.all(
      ['files', 'memory', 'thinking', 'everything', 'over http'].map((key) => becomes(key, 'connected')),
    );
    expect(servers.server('hanging')?.status).toBe('starting');
    expect(await call('mcp__files__read_text_file', { path: join(folder, 'note.txt') })).toMatchObject({
      content: 'a note\n',
      is_error: false,
    });
    expect((await call('mcp__memory__read_graph', {})).is_error).toBe(false);
    expect(
      await call('mcp__thinking__sequentialthinking', {
        thought: 'one',
        thoughtNumber: 1,
        totalThoughts: 1,
        nextThoughtNeeded: false,
      }),
    ).toMatchObject({ is_error: false });
    expect((await call('mcp__everything__echo', { message: 'x' })).content).toBe('Echo: x');
    expect((await call('mcp__over_http__echo', { message: 'y' })).content).toBe('Echo: y');
    expect(servers.server('hanging')?.status).toBe('starting');
  });

  it('says of each what it has', async () => {
    const tools = await servers.promises.listTools();
    const count = (key: string): number => tools.filter(({ name }) => name.startsWith(`mcp__${key}__`)).length;
    expect(['files', 'memory', 'thinking', 'everything', 'over_http', 'absent', 'incomplete'].map(count)).toEqual([
      14, 9, 1, 12, 13, 0, 0,
    ]);
    for (const key of ['files', 'everything', 'over http']) {
      const server = servers.server(key);
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(server?.toolNames ?? ['?']));
      expect(server).toMatchObject({ status: 'connected', protocolVersion: '2025-11-25', warnings: [] });
      expect(server?.reason).toBeUndefined();
    }
    expect(servers.server('everything')).toMatchObject({ hasPrompts: true, hasResources: true, transport: 'stdio' });
    expect(servers.server('files')).toMatchObject({ hasPrompts: false, hasResources: false });
    expect(servers.server('over http')).toMatchObject({ transport: 'http', pid: undefined, childEnv: {} });
  });

  it('offers no tool that is blocked', async () => {
    expect(servers.server('everything')?.toolNames).not.toContain('mcp__everything__get-env');
    expect(await call('mcp__everything__get-env', {})).toMatchObject({
      is_error: true,
      content: expect.stringContaining('is not offered here'),
    });
    expect(await call('mcp__over_http__get-env', {})).toMatchObject({ is_error: false });
  });

  it('says why two have failed, without a secret, and in what variable', async () => {
    expect(await becomes('absent', 'failed')).toMatchObject({
      reason: expect.stringMatching(/"no-such-program-here" could not be started: no such program was found/),
    });
    expect(servers.server('incomplete')).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('the variable NOBODY_SETS_THIS is not set'),
      toolNames: [],
    });
    expect(servers.problems).toEqual([
      expect.objectContaining({
        level: 'error',
        server: 'incomplete',
        path: '/mcpServers/incomplete/args/0',
        variable: 'NOBODY_SETS_THIS',
      }),
    ]);
    expect(JSON.stringify([...servers.status.values()].map(({ reason }) => reason))).not.toContain('s3cret-value');
    expect(await call('mcp__absent__x', {})).toMatchObject({ is_error: true });
  });

  it('starts the one again that dies on its second call, and tells the call apart', async () => {
    await becomes('mortal', 'connected');
    const before = servers.server('mortal')?.pid;
    expect(await call('mcp__mortal__echo', { text: 'one' })).toMatchObject({ content: 'one', is_error: false });
    const dying = becomes('mortal', 'starting');
    const second = await call('mcp__mortal__echo', { text: 'two' });
    expect(second.is_error).toBe(true);
    expect(second.error).toBeInstanceOf(OutcomeUnknownError);
    expect((second.error as Error).cause).toBeInstanceOf(ServerGoneError);
    expect(await dying).toMatchObject({
      restarts: 1,
      reason: expect.stringContaining('exited with code 9; its last line on stderr: out of memory'),
    });
    expect(await call('mcp__mortal__echo', { text: 'three' })).toMatchObject({ content: 'three', is_error: false });
    expect(await becomes('mortal', 'connected')).toMatchObject({ restarts: 1 });
    expect(servers.server('mortal')?.pid).not.toBe(before);
  });

  it('calls nothing on the one that hangs, and says how it is', async () => {
    const error = await rejection(servers.server('hanging')?.promises.callTool('echo') ?? Promise.resolve());
    expect(error).toMatchObject({ name: 'TransportClosedError', message: expect.stringContaining('starting') });
  });
});

describe('a server that hangs at its start', () => {
  it('has failed when its time is over, with the last it said; no process is left', async () => {
    const servers = openConfig(
      { mcpServers: { hanging: field('silent') } },
      { startupTimeoutMs: 1_500, killGraceMs: 100 },
    );
    const said = await firstValueFrom(
      servers.status$.pipe(
        switchMap(() => servers.server('hanging')?.client.stderr$ ?? EMPTY),
        filter((line) => line.startsWith('pid ')),
      ),
    );
    await servers.ready();
    const hanging = servers.server('hanging');
    expect(hanging).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/not ready within 1.5 s; .*pid \d+/),
    });
    expect((await hanging?.start())?.error).toBeInstanceOf(TimeoutError);
    await allGone(Number(said.slice(4)));
    await servers.stop();
  });
});
