import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type FSWatcher, rmSync, watch as watchFolder, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { firstValueFrom } from 'rxjs';
import { Fleet } from '../../../src/config/servers/fleet.js';
import { Following } from '../../../src/config/servers/following.js';
import { watch } from '../../support/client/watch.js';
import { stall, writeConfig } from '../../support/servers/stall.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const made = new Set<{ readonly fleet: Fleet; readonly following: Following }>();

afterEach(async () => {
  for (const { fleet, following } of made) {
    following.close();
    await fleet.stop();
  }
  made.clear();
});

const followingOf = (source: string | object) => {
  const fleet = new Fleet({});
  const following = new Following(source, {}, fleet);
  made.add({ fleet, following });
  return { fleet, following };
};

const NOTHING = { added: [], removed: [], restarted: [], kept: [] };

describe('following a config', () => {
  it('says of each reading what it did, and of those after the first also to all who listen', async () => {
    const source = { mcpServers: { a: stall('a') } as Record<string, object> };
    const { fleet, following } = followingOf(source);
    const [opened, reloads] = [watch(following.opened$), watch(following.reloads$)];
    const first = following.read();
    expect(opened.completed).toBe(false);
    expect(await first).toEqual({ ...NOTHING, added: ['a'], problems: [] });
    expect([opened.completed, reloads.values]).toEqual([true, []]);
    source.mcpServers = { b: stall('b'), off: stall('off', [], { disabled: true }) };
    const second = { ...NOTHING, added: ['b'], removed: ['a'], problems: [] };
    expect(await following.read()).toEqual(second);
    expect(reloads.values).toEqual([second]);
    expect([[...fleet.servers.keys()], following.disabled]).toEqual([['b'], ['off']]);
    following.close();
    expect(reloads.completed).toBe(true);
  });

  it('reads one time after another, so that what was written last is what counts', async () => {
    const file = join(temporaryFolder(), 'mcp.json');
    const { fleet, following } = followingOf(file);
    const busy = watch(following.busy$);
    const readings = [1, 2, 3, 4].map((round) => {
      writeConfig(file, Object.fromEntries([[`a${round}`, stall('a')]]));
      return following.read();
    });
    const done = await Promise.all(readings);
    expect([...fleet.servers.keys()]).toEqual(['a4']);
    expect(done.slice(1).map(({ removed }) => removed.length)).toEqual([0, 0, 0]);
    expect(done.at(-1)).toMatchObject({ kept: ['a4'] });
    expect(busy.values).toEqual([false, true, false]);
  });

  it.each([
    ['there is none', (file: string) => rmSync(file), /no such file/],
    ['it is empty', (file: string) => writeFileSync(file, ''), /empty/],
    ['it is half of one', (file: string) => writeFileSync(file, '{ "mcpServers": {'), /mcp\.json:1:/],
    ['it is no object', (file: string) => writeFileSync(file, '[]'), /a config is an object/],
    ['it has no object of servers', (file: string) => writeFileSync(file, '{ "mcpServers": [] }'), /give an object/],
  ])('changes nothing where %s', async (_, spoil, message) => {
    const file = join(temporaryFolder(), 'mcp.json');
    writeConfig(file, { a: stall('a') });
    const { fleet, following } = followingOf(file);
    await following.read();
    const server = fleet.servers.get('a');
    spoil(file);
    expect(await following.read()).toEqual({
      ...NOTHING,
      kept: ['a'],
      problems: [expect.objectContaining({ level: 'error', message: expect.stringMatching(message) })],
    });
    expect(following.problems).toMatchObject([{ level: 'error' }]);
    expect(fleet.servers.get('a')).toBe(server);
    expect(server?.status).not.toBe('stopped');
    writeConfig(file, { a: stall('a') });
    expect(await following.read()).toEqual({ ...NOTHING, kept: ['a'], problems: [] });
    expect(following.problems).toEqual([]);
  });

  it('ends all servers where the config has none any longer', async () => {
    const source = { mcpServers: { a: stall('a') } as object };
    const { fleet, following } = followingOf(source);
    await following.read();
    source.mcpServers = {};
    expect(await following.read()).toMatchObject({ removed: ['a'] });
    expect(fleet.servers.size).toBe(0);
  });

  it('makes anew what had failed', async () => {
    const file = join(temporaryFolder(), 'mcp.json');
    const late = join(temporaryFolder(), 'late');
    writeConfig(file, { a: { command: late } });
    const { fleet, following } = followingOf(file);
    await following.read();
    expect(await fleet.servers.get('a')?.start()).toMatchObject({ status: 'failed' });
    expect(await following.read()).toMatchObject({ restarted: ['a'], kept: [] });
    expect(await fleet.servers.get('a')?.start()).toMatchObject({ status: 'failed', restarts: 0 });
  });

  it('gives up a reading that does not end when it is closed', async () => {
    const file = join(temporaryFolder(), 'mcp.json');
    execFileSync('mkfifo', [file]);
    const { following } = followingOf(file);
    const opened = watch(following.opened$);
    const [first, second] = [following.read(), following.read()];
    following.close();
    expect(await Promise.all([first, second, following.read()])).toEqual(
      [1, 2, 3].map(() => ({ ...NOTHING, problems: [] })),
    );
    expect(opened.completed).toBe(true);
    // Whoever opens the other end lets go of the reader.
    writeFileSync(file, '{}');
  });

  it('watches nothing any longer when it is closed', () => {
    const file = join(temporaryFolder(), 'mcp.json');
    const { following } = followingOf(file);
    const open = new Set<FSWatcher>();
    following.watch(file, {
      delayMs: 10,
      open: ((...where: Parameters<typeof watchFolder>) => {
        const watcher = watchFolder(...where);
        open.add(watcher);
        return watcher.on('close', () => open.delete(watcher));
      }) as typeof watchFolder,
    });
    expect(open.size).toBe(2);
    const closed = [...open].map((watcher) => once(watcher, 'close'));
    following.close();
    return Promise.all(closed);
  });

  it('says where the file cannot be watched, until it can', async () => {
    const file = join(temporaryFolder(), 'mcp.json');
    const { following } = followingOf(file);
    const refused = Object.assign(new Error('no'), { code: 'ENOSPC' });
    let isRefused = true;
    const open = ((...where: Parameters<typeof watchFolder>) => {
      if (isRefused) throw refused;
      return watchFolder(...where);
    }) as typeof watchFolder;
    following.watch(file, { delayMs: 10, open });
    await following.read();
    expect(following.problems).toEqual([
      expect.objectContaining({ level: 'error' }),
      { level: 'warning', path: '', message: expect.stringMatching(/mcp\.json is not watched: .*reload\(\)/) },
    ]);
    isRefused = false;
    await firstValueFrom(following.reloads$);
    expect(following.problems).toMatchObject([{ level: 'error' }]);
  });
});
