import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, take, toArray } from 'rxjs';
import type { Reloaded } from '../../../src/config/servers/following.js';
import type { ManagedServers } from '../../../src/config/servers/managed-servers.js';
import { openConfig } from '../../../src/config/servers/open-config.js';
import { isRunning } from '../../support/child-processes.js';
import { watch } from '../../support/client/watch.js';
import { opening, pidOf, stall, writeConfig } from '../../support/servers/stall.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** The next reload that does anything of what is looked for. */
const reload = (servers: ManagedServers, matches: (reloaded: Reloaded) => boolean): Promise<Reloaded> =>
  firstValueFrom(servers.reloads$.pipe(filter(matches)));

const adds =
  (key: string) =>
  ({ added }: Reloaded): boolean =>
    added.includes(key);

describe('openConfig', () => {
  it('runs the servers of a project, as in its example', async () => {
    const home = temporaryFolder();
    writeConfig(join(home, '.mcp.json'), { a: stall('a', ['read']) });
    let pid: number | undefined;
    {
      await using servers = openConfig(pathToFileURL(join(home, '.mcp.json')));
      expect([servers.file, servers.projectDir]).toEqual([join(home, '.mcp.json'), home]);
      const states = await servers.ready();
      expect([...states].map(([key, { status }]) => [key, status])).toEqual([['a', 'connected']]);
      const tools = await servers.promises.toolsForLlm({ format: 'anthropic' });
      expect(tools.map(({ name }) => name)).toEqual(['mcp__a__die', 'mcp__a__open', 'mcp__a__read']);
      expect(servers.server('a')?.childEnv['CLAUDE_PROJECT_DIR']).toBe(home);
      pid = servers.server('a')?.pid;
    }
    expect(isRunning(pid as number)).toBe(false);
  });

  it('takes what it was told of variables, home and project', async () => {
    const servers = opening(
      { mcpServers: { a: stall('${NAME}', ['${userHome}'], { cwd: '.' }) } },
      { baseEnv: { ...process.env, NAME: 'given' }, home: 'at-home', projectDir: temporaryFolder() },
    );
    await servers.ready();
    expect(servers.server('a')?.serverInfo?.name).toBe('given');
    expect(servers.server('a')?.toolNames).toContain('mcp__a__at-home');
    expect(servers.server('a')?.childEnv).toMatchObject({ NAME: 'given', CLAUDE_PROJECT_DIR: servers.projectDir });
  });

  it('follows ready() after a reload', async () => {
    const source = { mcpServers: { a: stall('a') } as Record<string, object> };
    const servers = opening(source);
    await servers.ready();
    source.mcpServers = { a: stall('a'), b: stall('b') };
    const before = pidOf(servers, 'a');
    const reloaded = servers.reload();
    const states = await servers.ready();
    expect([...states].map(([key, { status }]) => `${key}=${status}`)).toEqual(['a=connected', 'b=connected']);
    expect(await reloaded).toMatchObject({ added: ['b'], kept: ['a'] });
    expect(pidOf(servers, 'a')).toBe(before);
  });

  it('ends what a reload has just begun, when it is stopped meanwhile', async () => {
    const source = { mcpServers: { a: stall('a') } as Record<string, object> };
    const servers = opening(source);
    await servers.ready();
    const pid = pidOf(servers, 'a');
    source.mcpServers = { a: stall('anew') };
    const reloaded = servers.reload();
    await firstValueFrom(servers.status$.pipe(filter((states) => states.get('a')?.status === 'configured')));
    await servers.stop();
    expect(isRunning(pid)).toBe(false);
    expect(await reloaded).toMatchObject({ restarted: ['a'] });
    expect(servers.server('a')).toMatchObject({ status: 'stopped', pid: undefined });
  });
});

describe('openConfig, watching', () => {
  it('follows the file as it is written, replaced, spoilt, removed and made again', async () => {
    const file = join(temporaryFolder(), 'mcp.json');
    writeConfig(file, { a: stall('a') });
    const servers = opening(file, { watch: true, watchDelayMs: 20 });
    await servers.ready();
    const pid = pidOf(servers, 'a');

    const written = reload(servers, adds('b'));
    writeConfig(file, { a: stall('a'), b: stall('b') });
    expect(await written).toMatchObject({ kept: ['a'] });

    const replaced = reload(servers, adds('c'));
    writeConfig(`${file}.tmp`, { a: stall('a'), c: stall('c') });
    renameSync(`${file}.tmp`, file);
    expect(await replaced).toMatchObject({ kept: ['a'], removed: ['b'] });

    const spoilt = reload(servers, ({ problems }) => problems.length > 0);
    writeFileSync(file, '{');
    expect(await spoilt).toMatchObject({ kept: ['a', 'c'] });

    const removed = reload(servers, ({ problems }) => /no such file/.test(problems[0]?.message ?? ''));
    rmSync(file);
    expect(await removed).toMatchObject({ kept: ['a', 'c'] });

    const again = reload(servers, adds('d'));
    writeConfig(file, { a: stall('a'), d: stall('d') });
    expect(await again).toMatchObject({ kept: ['a'], removed: ['c'], problems: [] });
    expect(pidOf(servers, 'a')).toBe(pid);
  });

  it('finds a file whose folder comes later', async () => {
    const home = temporaryFolder();
    const file = join(home, 'later', 'mcp.json');
    const servers = opening(file, { watch: true, watchDelayMs: 20 });
    expect([...(await servers.ready())]).toEqual([]);
    const found = reload(servers, adds('a'));
    mkdirSync(join(home, 'later'));
    writeConfig(file, { a: stall('a') });
    await found;
    expect((await servers.ready()).get('a')).toMatchObject({ status: 'connected' });
  });

  it('reads once after a burst', async () => {
    const file = join(temporaryFolder(), 'mcp.json');
    writeConfig(file, {});
    const servers = opening(file, { watch: true });
    await servers.ready();
    const reloads = firstValueFrom(servers.reloads$.pipe(take(2), toArray()));
    for (const key of ['a', 'b', 'c'])
      writeConfig(file, { [key]: stall(key, [], { env: { KEY: '${RX_MCP_NOT_SET}' } }) });
    await firstValueFrom(servers.reloads$);
    writeConfig(file, {});
    expect((await reloads).map(({ added, removed }) => [added, removed])).toEqual([
      [['c'], []],
      [[], ['c']],
    ]);
  });

  it('lets the file alone once it is stopped', async () => {
    const file = join(temporaryFolder(), 'mcp.json');
    writeConfig(file, {});
    const servers = opening(file, { watch: true, watchDelayMs: 0 });
    await servers.ready();
    const seen = watch(servers.reloads$);
    writeConfig(file, { a: stall('a') });
    await servers.stop();
    expect([seen.completed, seen.values, [...servers.servers]]).toEqual([true, [], []]);
  });
});
