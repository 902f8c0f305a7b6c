import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject, concat, NEVER, Observable, of, Subject, take, throwError } from 'rxjs';
import { liveTools } from '../../../src/bridge/router/live-tools.js';
import type { Mount } from '../../../src/bridge/router/mount.js';
import type { Tool } from '../../../src/index.js';
import { watch } from '../../support/client/watch.js';
import { marbles } from '../../support/marbles.js';
import { handProvider } from '../../support/providers/hand.js';

const tool = (name: string): Tool => ({ name, inputSchema: { type: 'object' } });

const mount = (prefix: string, tools$: unknown): Mount => ({
  prefix,
  provider: handProvider([], undefined, { tools$: tools$ as Observable<readonly Tool[]> }),
});

const namesOf = (lists: readonly (readonly Tool[])[]): string[] =>
  lists.map((tools) => tools.map(({ name }) => name).join(' '));

describe('the live tools of mounts', () => {
  it('come as soon as those of one are known, and after every change', () => {
    marbles(({ cold, expectObservable }) => {
      const lists = { x: [tool('x')], y: [tool('y')], z: [tool('y'), tool('z')], n: [] };
      const a = mount('a', cold('--x-----n', lists));
      const b = mount('b', cold('----y-z--', lists));
      expectObservable(liveTools(concat(of([a, b]), NEVER), '_')).toBe('--p-q-r-s', {
        p: [tool('a_x')],
        q: [tool('a_x'), tool('b_y')],
        r: [tool('a_x'), tool('b_y'), tool('b_z')],
        s: [tool('b_y'), tool('b_z')],
      });
    });
  });

  it('come once where all are known at once', () => {
    const mounts$ = new BehaviorSubject([mount('a', of([tool('x')])), mount('b', of([tool('y')]))]);
    expect(namesOf(watch(liveTools(mounts$, '_')).values)).toEqual(['a_x b_y']);
  });

  it('are none where nobody has live tools', () => {
    expect(namesOf(watch(liveTools(new BehaviorSubject<Mount[]>([]), '_')).values)).toEqual(['']);
    for (const tools$ of [undefined, null, 5, {}, Promise.resolve([])]) {
      const seen = watch(liveTools(new BehaviorSubject([mount('a', tools$)]), '_'));
      expect([namesOf(seen.values), seen.error]).toEqual([[''], undefined]);
    }
  });

  it('stay known while others come and go, and nobody is asked anew', () => {
    let subscriptions = 0;
    const [xs, ys] = [new Subject<readonly Tool[]>(), new Subject<readonly Tool[]>()];
    const a = mount(
      'a',
      new Observable((subscriber) => {
        subscriptions += 1;
        return xs.subscribe(subscriber);
      }),
    );
    const b = mount('b', ys);
    const mounts$ = new BehaviorSubject([a]);
    const { values } = watch(liveTools(mounts$, '_'));
    xs.next([tool('x')]);
    mounts$.next([a, b]);
    ys.next([tool('y')]);
    mounts$.next([b]);
    expect(namesOf(values)).toEqual(['a_x', 'a_x b_y', 'b_y']);
    expect([subscriptions, xs.observed, ys.observed]).toEqual([1, false, true]);
  });

  it('go with their provider, though no other is known yet', () => {
    const [a, b] = [mount('a', of([tool('x')])), mount('b', NEVER)];
    const mounts$ = new BehaviorSubject([a, b]);
    const { values } = watch(liveTools(mounts$, '_'));
    mounts$.next([b]);
    expect(namesOf(values)).toEqual(['a_x', '']);
  });

  it('do not wait for one that hangs, and do without one that fails or throws', () => {
    const failing = new Subject<readonly Tool[]>();
    const throwing = handProvider([]);
    Object.defineProperty(throwing, 'tools$', {
      get: () => {
        throw new Error('not today');
      },
    });
    const mounts$ = new BehaviorSubject([
      mount('hangs', NEVER),
      mount(
        'fails',
        throwError(() => new Error('no')),
      ),
      mount('odd', of('tools')),
      { prefix: 'throws', provider: throwing },
      mount('later', failing),
      mount('good', of([tool('x')])),
    ]);
    const seen = watch(liveTools(mounts$, '_'));
    failing.next([tool('y')]);
    failing.error(new Error('no longer'));
    expect(namesOf(seen.values)).toEqual(['good_x', 'later_y good_x', 'good_x']);
    expect([seen.error, seen.completed]).toEqual([undefined, false]);
  });

  it('keep what a provider told last that has nothing more to tell', () => {
    const [xs, ys] = [new Subject<readonly Tool[]>(), new Subject<readonly Tool[]>()];
    const { values } = watch(liveTools(new BehaviorSubject([mount('a', xs), mount('b', ys)]), '_'));
    xs.next([tool('x')]);
    xs.complete();
    ys.next([tool('y')]);
    expect(namesOf(values)).toEqual(['a_x', 'a_x b_y']);
  });

  it('complete with the mounts, whatever the providers do, and let go of them', () => {
    const xs = new Subject<readonly Tool[]>();
    const mounts$ = new BehaviorSubject([mount('a', xs)]);
    const seen = watch(liveTools(mounts$, '_'));
    expect(xs.observed).toBe(true);
    mounts$.complete();
    expect([seen.completed, xs.observed]).toEqual([true, false]);
  });

  it('let go of all where they are unsubscribed from, also inside a list', () => {
    const xs = new Subject<readonly Tool[]>();
    watch(liveTools(new BehaviorSubject([mount('a', xs), mount('b', of([tool('y')]))]), '_').pipe(take(1)));
    expect(xs.observed).toBe(false);
    const { subscription } = watch(liveTools(new BehaviorSubject([mount('a', xs)]), '_'));
    subscription.unsubscribe();
    expect(xs.observed).toBe(false);
  });

  it('take it well that a list brings or removes a provider', () => {
    const ys = new Subject<readonly Tool[]>();
    const mounts$ = new BehaviorSubject<Mount[]>([]);
    const b = mount('b', ys);
    // Told of at once, it takes itself out.
    const a = mount(
      'a',
      new Observable<readonly Tool[]>((subscriber) => {
        mounts$.next([b]);
        subscriber.next([tool('x')]);
        return () => left.push('a');
      }),
    );
    const left: string[] = [];
    const { values } = watch(liveTools(mounts$, '_'));
    mounts$.next([a, b]);
    ys.next([tool('y')]);
    expect(namesOf(values)).toEqual(['', 'b_y']);
    expect(left).toEqual(['a']);
  });

  it('stay as they are while one that has nothing tells so, in whatever way', () => {
    const nothing = new Subject<unknown>();
    const mounts$ = new BehaviorSubject([mount('a', of([tool('x')])), mount('b', nothing)]);
    const { values } = watch(liveTools(mounts$, '_'));
    nothing.next([]);
    nothing.next('tools');
    nothing.next([]);
    nothing.error(new Error('no longer'));
    expect(namesOf(values)).toEqual(['a_x']);
  });

  it('ask nobody who was taken out before it was asked, nor anybody when nobody looks any longer', () => {
    const asked: string[] = [];
    const told = (name: string): Observable<readonly Tool[]> =>
      new Observable((subscriber) => {
        asked.push(name);
        subscriber.next([tool('x')]);
      });
    const b = mount('b', told('b'));
    const mounts$ = new BehaviorSubject<Mount[]>([]);
    const removing = mount(
      'a',
      new Observable<readonly Tool[]>(() => {
        asked.push('a');
        mounts$.next([removing]);
      }),
    );
    const { subscription } = watch(liveTools(mounts$, '_'));
    mounts$.next([removing, b]);
    expect(asked).toEqual(['a']);
    const leaving = mount(
      'c',
      new Observable<readonly Tool[]>(() => {
        asked.push('c');
        subscription.unsubscribe();
      }),
    );
    mounts$.next([leaving, b]);
    expect(asked).toEqual(['a', 'c']);
  });

  it('fail as the mounts do', () => {
    const reason = new Error('not today');
    expect(
      watch(
        liveTools(
          throwError(() => reason),
          '_',
        ),
      ).error,
    ).toBe(reason);
  });
});
