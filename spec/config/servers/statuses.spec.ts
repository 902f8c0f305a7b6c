import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject } from 'rxjs';
import type { ManagedState, ManagedStatus } from '../../../src/config/managed/state.js';
import { Statuses } from '../../../src/config/servers/statuses.js';
import { watch } from '../../support/client/watch.js';

const state = (status: ManagedStatus): ManagedState => ({ status, restarts: 0 });

const server = (status: ManagedStatus = 'configured') => {
  const status$ = new BehaviorSubject(state(status));
  return { status$, becomes: (next: ManagedStatus) => status$.next(state(next)) };
};

const told = (maps: readonly ReadonlyMap<string, ManagedState>[]): string[] =>
  maps.map((map) => [...map].map(([key, { status }]) => `${key}=${status}`).join(' '));

describe('the states of servers', () => {
  it('are none before there are servers', () => {
    expect(told(watch(new Statuses().status$).values)).toEqual(['']);
  });

  it('are told at one go when servers come and go, in their order, and at each change of one', () => {
    const statuses = new Statuses();
    const seen = watch(statuses.status$);
    const [a, b, c] = [server(), server('starting'), server('failed')];
    statuses.follow(new Map(Object.entries({ a, b })));
    b.becomes('connected');
    statuses.follow(new Map(Object.entries({ c, b })));
    expect(told(seen.values)).toEqual([
      '',
      'a=configured b=starting',
      'a=configured b=connected',
      'c=failed b=connected',
    ]);
    expect(told([statuses.latest])).toEqual(['c=failed b=connected']);
    expect([a.status$.observed, b.status$.observed]).toEqual([false, true]);
  });

  it('are maps of their own: one that was told stays as it was', () => {
    const statuses = new Statuses();
    const a = server();
    statuses.follow(new Map([['a', a]]));
    const before = statuses.latest;
    a.becomes('connected');
    expect(told([before, statuses.latest])).toEqual(['a=configured', 'a=connected']);
  });

  it('are those of the server that took the place of another under its key', () => {
    const statuses = new Statuses();
    const [old, next] = [server('connected'), server()];
    statuses.follow(new Map([['a', old]]));
    statuses.follow(new Map([['a', next]]));
    old.becomes('stopped');
    expect(told([statuses.latest])).toEqual(['a=configured']);
  });

  it('are told to those who come later, the latest alone, also when all is over', () => {
    const statuses = new Statuses();
    const a = server();
    statuses.follow(new Map([['a', a]]));
    const seen = watch(statuses.status$);
    statuses.close();
    const late = watch(statuses.status$);
    expect([told(seen.values), told(late.values)]).toEqual([['a=configured'], ['a=configured']]);
    expect([seen.completed, late.completed, a.status$.observed]).toEqual([true, true, false]);
  });
});
