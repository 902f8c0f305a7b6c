import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { TestScheduler } from 'rxjs/testing';
import { asyncScheduler } from 'rxjs';
import type { GroupSystem } from '../../../src/transport/stdio/group-system.js';
import { ProcessGroup } from '../../../src/transport/stdio/process-group.js';

const marbles = (run: Parameters<TestScheduler['run']>[0]): void => {
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(run);
};

class FakeLeader extends EventEmitter {
  readonly pid = 42;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;

  exit(code: number | null, signal: NodeJS.Signals | null = null): void {
    this.exitCode = code;
    this.signalCode = signal;
    this.emit('exit', code, signal);
  }
}

/** A group of which the spec says when who lives. Each signal is noted with the virtual time at which it was sent. */
const fake = (options: { outlivesLeader?: boolean } = {}) => {
  const leader = new FakeLeader();
  const sent: string[] = [];
  const state = { survivors: false };
  const system: GroupSystem = {
    outlivesLeader: options.outlivesLeader ?? true,
    signal: (pid, signal) => {
      sent.push(`${asyncScheduler.now()} ${signal} ${pid}`);
      return true;
    },
    killNow: (pid) => {
      sent.push(`now ${pid}`);
    },
    watch: () => () => state.survivors,
  };
  return { leader, sent, state, group: new ProcessGroup(leader, system) };
};

describe('ProcessGroup', () => {
  it('waits for a leader that ends by itself, and signals nobody', () => {
    marbles(({ cold, expectObservable, flush }) => {
      const { leader, sent, group } = fake();
      cold('30ms x').subscribe(() => leader.exit(0));
      expectObservable(group.end(100)).toBe('30ms |');
      flush();
      expect(sent).toEqual([]);
    });
  });

  it('sends SIGTERM after one grace period and SIGKILL after another, and gives up soon after that', () => {
    marbles(({ expectObservable, flush }) => {
      const { sent, group } = fake();
      expectObservable(group.end(2_000)).toBe('4300ms |');
      flush();
      expect(sent).toEqual(['2000 SIGTERM 42', '4000 SIGKILL 42']);
    });
  });

  it('is done as soon as SIGTERM has worked', () => {
    marbles(({ cold, expectObservable, flush }) => {
      const { leader, sent, group } = fake();
      cold('150ms x').subscribe(() => leader.exit(null, 'SIGTERM'));
      expectObservable(group.end(100)).toBe('150ms |');
      flush();
      expect(sent).toEqual(['100 SIGTERM 42']);
    });
  });

  it('ends those that outlive a leader which ended by itself, without waiting for the first grace period', () => {
    marbles(({ cold, expectObservable, flush }) => {
      const { leader, state, sent, group } = fake();
      state.survivors = true;
      cold('30ms x').subscribe(() => leader.exit(0));
      cold('55ms x').subscribe(() => (state.survivors = false));
      // Asked after every 20 ms.
      expectObservable(group.end(100)).toBe('70ms |');
      flush();
      expect(sent).toEqual(['30 SIGTERM 42']);
    });
  });

  it('makes those that outlive the leader and SIGTERM end', () => {
    marbles(({ cold, expectObservable, flush }) => {
      const { leader, state, sent, group } = fake();
      state.survivors = true;
      leader.exit(0);
      cold('110ms x').subscribe(() => (state.survivors = false));
      expectObservable(group.terminate(100)).toBe('120ms |');
      flush();
      expect(sent).toEqual(['0 SIGTERM 42', '100 SIGKILL 42']);
    });
  });

  it('never signals a group again that was once seen empty: its number may be taken', () => {
    marbles(({ expectObservable, flush }) => {
      const { leader, state, sent, group } = fake();
      leader.exit(0);
      // Somebody else's, under the same number.
      state.survivors = true;
      expect(group.exists()).toBe(false);
      expectObservable(group.end(100)).toBe('|');
      flush();
      group.killNow();
      expect(sent).toEqual([]);
    });
  });

  it('leaves alone what it could not find any more once the leader has ended', () => {
    marbles(({ expectObservable, flush }) => {
      const { leader, state, sent, group } = fake({ outlivesLeader: false });
      state.survivors = true;
      leader.exit(0);
      expectObservable(group.terminate(100)).toBe('|');
      flush();
      expect(sent).toEqual([]);
    });
  });

  it('does without the second signal when the first finds nobody', () => {
    marbles(({ expectObservable, flush }) => {
      const leader = new FakeLeader();
      const asked: string[] = [];
      const signal = (_pid: number, name: string): boolean => {
        asked.push(name);
        leader.exit(0);
        return false;
      };
      const group = new ProcessGroup(leader, {
        outlivesLeader: true,
        signal,
        killNow: () => {},
        watch: () => () => false,
      });
      expectObservable(group.terminate(100)).toBe('|');
      flush();
      expect(asked).toEqual(['SIGTERM']);
    });
  });

  it('stops where it stands when its subscriber leaves', () => {
    marbles(({ expectObservable, flush }) => {
      const { sent, group } = fake();
      expectObservable(group.end(100), '^ 150ms !').toBe('');
      flush();
      expect(sent).toEqual(['100 SIGTERM 42']);
    });
  });

  it('tells how the leader ended, once, also to those who ask afterwards', () => {
    const { leader, group } = fake();
    const seen: unknown[] = [];
    group.exited$.subscribe((exit) => seen.push(exit));
    expect(group.exit).toBeUndefined();
    leader.emit('error', new Error('a signal that could not be sent'));
    expect(seen).toEqual([]);
    leader.exit(3);
    leader.emit('close');
    group.exited$.subscribe((exit) => seen.push(exit));
    expect(seen).toEqual([
      { code: 3, signal: null },
      { code: 3, signal: null },
    ]);
  });

  it('takes an error in the place of the exit for one', () => {
    const { leader, group } = fake();
    const seen: unknown[] = [];
    group.exited$.subscribe((exit) => seen.push(exit));
    leader.exitCode = 1;
    leader.emit('error', new Error('spawn server ENOENT'));
    expect(seen).toEqual([{ code: 1, signal: null }]);
  });

  it('kills at the last moment what still lives', () => {
    const { leader, state, sent, group } = fake();
    group.killNow();
    state.survivors = true;
    leader.exit(0);
    group.killNow();
    state.survivors = false;
    group.killNow();
    expect(sent).toEqual(['now 42', 'now 42']);
  });

  it.each(['exit', 'error', 'close'])('hears that the leader has ended by %s alone', (name) => {
    const { leader, group } = fake();
    const seen: unknown[] = [];
    group.exited$.subscribe({ next: (exit) => seen.push(exit), complete: () => seen.push('|') });
    leader.signalCode = 'SIGTERM';
    leader.emit(name);
    expect(seen).toEqual([{ code: null, signal: 'SIGTERM' }, '|']);
    // One listener stays: the group is asked after at the exit.
    expect(['exit', 'error', 'close'].map((one) => leader.listenerCount(one))).toEqual([1, 0, 0]);
  });

  it('asks after its members at the very exit of the leader, and believes a no for ever', () => {
    const { leader, state, group } = fake();
    expect(group.exists()).toBe(true);
    leader.exit(0);
    state.survivors = true;
    expect(group.exists()).toBe(false);
    const other = fake();
    other.state.survivors = true;
    other.leader.exit(0);
    expect(other.group.exists()).toBe(true);
    other.state.survivors = false;
    expect(other.group.exists()).toBe(false);
    other.state.survivors = true;
    expect(other.group.exists()).toBe(false);
  });
});
