import { describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, type Observable } from 'rxjs';
import { Mounts } from '../../../src/bridge/index.js';
import { ManagedServer } from '../../../src/config/managed/managed-server.js';
import { mountOf } from '../../../src/config/servers/mount-of.js';
import type { Tool } from '../../../src/index.js';
import { watch } from '../../support/client/watch.js';
import { mute, stall } from '../../support/servers/stall.js';

const namesOf = (tools: readonly Tool[]): string[] => tools.map(({ name }) => name);

/** A list that has come. */
const some = (tools$: Observable<readonly Tool[]>): Promise<readonly Tool[]> =>
  firstValueFrom(tools$.pipe(filter((tools) => tools.length > 0)));

const READ = ['mcp__a__read', 'mcp__a__open', 'mcp__a__die'];

describe('a managed server among others', () => {
  it('has the names that its tools have already, and its calls are made by it', async () => {
    await using server = ManagedServer.of('a', stall('a', ['read']));
    await server.start();
    const mount = mountOf(server);
    expect(mount).toMatchObject({ prefix: 'a', whole: 'mcp__a__' });
    const mounts = new Mounts('_');
    mounts.replace([mount]);
    expect(namesOf(await firstValueFrom(mounts.router.list({})))).toEqual(READ);
    expect(namesOf(await firstValueFrom(mounts.router.known()))).toEqual(READ);
    expect(namesOf(await some(mounts.tools$))).toEqual(READ);
    const answers = await firstValueFrom(
      mount.provider.executeToolCalls([{ id: '1', name: 'mcp__a__read' }]) as ReturnType<
        typeof server.executeToolCalls
      >,
    );
    expect(answers).toMatchObject([{ content: `a read ${server.pid}` }]);
    expect(await firstValueFrom(mount.provider.toolsForLlm() as ReturnType<typeof server.toolsForLlm>)).toHaveLength(3);
  });

  it('has nothing, at once, before it is connected, and after it is stopped', async () => {
    await using server = ManagedServer.of('a', mute());
    const { provider } = mountOf(server);
    const seen = () => {
      const watched = watch(provider.listTools?.() as ReturnType<typeof server.listTools>);
      return [watched.values, watched.completed];
    };
    expect(seen()).toEqual([[[]], true]);
    void server.start();
    expect(server.status).toBe('starting');
    expect(seen()).toEqual([[[]], true]);
    await server.stop();
    expect(seen()).toEqual([[[]], true]);
  });

  it('has what it had, at once, while it is started again', async () => {
    await using server = ManagedServer.of('a', stall('a', ['read']), { restartDelayMs: 600_000 });
    await server.start();
    await some(server.tools$);
    await server.promises.callTool('mcp__a__die').catch(() => undefined);
    expect(server.status).toBe('starting');
    const { provider } = mountOf(server);
    for (const list of ['listTools', 'knownTools'] as const) {
      const seen = watch(provider[list]?.() as ReturnType<typeof server.listTools>);
      expect([seen.values.map(namesOf), seen.completed]).toEqual([[READ], true]);
    }
  });

  it('waits no longer for the list of a server that dies meanwhile', async () => {
    await using server = ManagedServer.of('a', stall('a', ['read']), { restartDelayMs: 600_000 });
    await server.start();
    await some(server.tools$);
    const { provider } = mountOf(server);
    const listed = firstValueFrom(provider.listTools?.({ refresh: true }) as ReturnType<typeof server.listTools>);
    process.kill(server.pid as number, 'SIGKILL');
    expect(namesOf(await listed)).toEqual(READ);
  });
});
