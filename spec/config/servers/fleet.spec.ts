import { describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom } from 'rxjs';
import { readConfig } from '../../../src/config/load-config.js';
import type { ManagedOptions } from '../../../src/config/managed/options.js';
import { Fleet } from '../../../src/config/servers/fleet.js';
import { allGone, isRunning } from '../../support/child-processes.js';
import { watch } from '../../support/client/watch.js';
import { mute, stall, stubborn } from '../../support/servers/stall.js';

const entriesOf = (mcpServers: object) => readConfig({ mcpServers }).entries;

const isUp = async (fleet: Fleet, ...keys: readonly string[]): Promise<void> => {
  const { status$ } = fleet.statuses;
  await firstValueFrom(status$.pipe(filter((all) => keys.every((key) => all.get(key)?.status === 'connected'))));
};

const pid = (fleet: Fleet, key: string): number => fleet.servers.get(key)?.pid ?? -1;

/** A fleet that is stopped at the end of the block, with its processes gone. */
const fleetOf = (mcpServers: object, options: ManagedOptions = {}) => {
  const fleet = new Fleet(options);
  const { plan, done } = fleet.apply(entriesOf(mcpServers));
  return { fleet, plan, done, [Symbol.asyncDispose]: () => fleet.stop() };
};

describe('a fleet of servers', () => {
  it('keeps what is the same in its process, ends what is another before it starts it, and ends what is gone', async () => {
    const before = { same: stall('same'), other: stall('other'), gone: stall('gone') };
    await using made = fleetOf(before);
    const { fleet, plan } = made;
    expect(plan).toEqual({ added: ['same', 'other', 'gone'], removed: [], restarted: [], kept: [] });
    await isUp(fleet, 'same', 'other', 'gone');
    const [same, other, gone] = [pid(fleet, 'same'), pid(fleet, 'other'), pid(fleet, 'gone')];
    const old = fleet.servers.get('other');
    const then = fleet.apply(entriesOf({ new: stall('new'), other: stall('other', ['read']), same: stall('same') }));
    expect(then.plan).toEqual({ added: ['new'], removed: ['gone'], restarted: ['other'], kept: ['same'] });
    expect([...fleet.servers].map(([key, { status }]) => `${key}=${status}`)).toEqual([
      ...['new=starting', 'other=configured', 'same=connected'],
    ]);
    expect(fleet.servers.get('other')).not.toBe(old);
    await then.done;
    expect([gone, other].filter(isRunning)).toEqual([]);
    await isUp(fleet, 'new', 'other');
    expect(pid(fleet, 'same')).toBe(same);
    expect(isRunning(same)).toBe(true);
  });

  it('hands over what may change while a server runs', async () => {
    await using made = fleetOf({ a: stall('a', ['read', 'write']) });
    const { fleet } = made;
    await isUp(fleet, 'a');
    const before = pid(fleet, 'a');
    const { plan } = fleet.apply(entriesOf({ a: stall('a', ['read', 'write'], { allowedTools: ['read'] }) }));
    expect(plan.kept).toEqual(['a']);
    expect([pid(fleet, 'a'), fleet.servers.get('a')?.toolNames]).toEqual([before, ['mcp__a__read']]);
  });

  it('tells of a change of several at one go', async () => {
    await using made = fleetOf({ a: stall('a'), b: stall('b') });
    const { fleet } = made;
    await isUp(fleet, 'a', 'b');
    const seen = watch(fleet.statuses.status$);
    const { done } = fleet.apply(entriesOf({ c: stall('c'), b: stall('b') }));
    expect(seen.values.slice(0, 2).map((states) => [...states.keys()])).toEqual([
      ['a', 'b'],
      ['c', 'b'],
    ]);
    await done;
  });

  it('calls a tool by the name it was declared by at the server that took the place of its own', async () => {
    await using made = fleetOf({ a: stall('a', ['read']) });
    const { fleet } = made;
    await isUp(fleet, 'a');
    await firstValueFrom(fleet.mounts.router.list({}));
    await fleet.apply(entriesOf({ a: stall('anew', ['read']) })).done;
    await isUp(fleet, 'a');
    const ready = await firstValueFrom(fleet.mounts.router.prepare());
    const asked = [{ toolCallId: '1', name: 'mcp__a__read', arguments: {} }];
    const happened = watch(ready.run(asked, {}, false));
    await happened.end;
    expect(JSON.stringify(happened.values)).toContain(`anew read ${pid(fleet, 'a')}`);
  });

  it('ends those that are leaving, too, when it is stopped meanwhile, and starts none of those to come', async () => {
    await using made = fleetOf({ a: mute(), b: stall('b') });
    const { fleet } = made;
    await isUp(fleet, 'b');
    const pids = [pid(fleet, 'a'), pid(fleet, 'b')];
    const { done } = fleet.apply(entriesOf({ b: stall('b', ['read']) }));
    const next = fleet.servers.get('b');
    await fleet.stop();
    expect(pids.filter(isRunning)).toEqual([]);
    await done;
    expect([next?.status, next?.pid]).toEqual(['stopped', undefined]);
  });

  it('ends every process at once where it must, those that are leaving included', async () => {
    await using made = fleetOf({ a: stubborn(), b: stubborn() }, { killGraceMs: 600_000 });
    const { fleet } = made;
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    while (pid(fleet, 'a') < 0 || pid(fleet, 'b') < 0) await turn();
    const pids = [pid(fleet, 'a'), pid(fleet, 'b')];
    const { done } = fleet.apply(entriesOf({ a: stubborn() }));
    fleet.killNow();
    await allGone(...pids);
    await done;
    expect(fleet.servers.get('a')?.status).toBe('stopped');
  });
});
