import { describe, expect, it } from '@jest/globals';
import { concat, EMPTY, NEVER, Observable, of, Subject, throwError } from 'rxjs';
import { SideList, type SideListTerms } from '../../../src/config/managed/side-list.js';
import type { RawNotification } from '../../../src/session/index.js';
import { watch } from '../../support/client/watch.js';

const CHANGED = 'notifications/prompts/list_changed';

/** A list whose readings are answered by hand. */
const sideList = (more: Partial<SideListTerms<string>> = {}) => {
  const notifications$ = new Subject<RawNotification>();
  const live$ = new Subject<readonly string[]>();
  const readings: Subject<readonly string[]>[] = [];
  const list = new SideList<string>({
    read: () =>
      new Observable((subscriber) => {
        const reading = new Subject<readonly string[]>();
        readings.push(reading);
        return reading.subscribe(subscriber);
      }),
    live$,
    notifications$,
    changed: CHANGED,
    keeps: (entry) => entry !== 'app',
    ...more,
  });
  const answer = (index: number, entries: readonly string[]): void => {
    readings[index]?.next(entries);
    readings[index]?.complete();
  };
  const notice = (method = CHANGED): void => {
    notifications$.next({ method, params: {} });
  };
  return { list, readings, answer, notice, live$, notifications$ };
};

describe('a list beside the tools', () => {
  it('is not read before somebody wants it, and is followed from then on', () => {
    const { list, readings, live$, notifications$ } = sideList();
    const reading$ = list.read();
    expect([readings.length, live$.observed, notifications$.observed]).toEqual([0, false, false]);
    reading$.subscribe();
    expect([readings.length, live$.observed, notifications$.observed]).toEqual([1, true, true]);
  });

  it('is read once, and is then known', () => {
    const { list, readings, answer } = sideList();
    const first = watch(list.read());
    expect(list.known).toEqual([]);
    answer(0, ['a', 'b']);
    expect(first).toMatchObject({ values: [['a', 'b']], completed: true });
    expect(watch(list.read())).toMatchObject({ values: [['a', 'b']], completed: true });
    expect(list.known).toEqual(['a', 'b']);
    expect(readings).toHaveLength(1);
  });

  it('has its entries without what only the host may say', () => {
    const { list, answer, live$ } = sideList({ strip: (entry) => entry.toUpperCase() });
    const seen = watch(list.read());
    answer(0, ['a']);
    expect(seen.values).toEqual([['A']]);
    live$.next(['b']);
    expect(list.known).toEqual(['B']);
  });

  it('has in it what is kept, whichever way it came', () => {
    const { list, answer, live$ } = sideList();
    const seen = watch(list.read());
    answer(0, ['app', 'a']);
    expect(seen.values).toEqual([['a']]);
    live$.next(['b', 'app']);
    expect(list.known).toEqual(['b']);
  });

  it('is read anew after a notice of its change, and of no other', () => {
    const { list, readings, answer, notice } = sideList();
    list.read().subscribe();
    answer(0, ['a']);
    notice('notifications/resources/list_changed');
    list.read().subscribe();
    expect(readings).toHaveLength(1);
    notice();
    expect(list.known).toEqual([]);
    const again = watch(list.read());
    answer(1, ['b']);
    expect(again.values).toEqual([['b']]);
  });

  it('is not kept where a notice came while it was read', () => {
    const { list, readings, answer, notice } = sideList();
    const seen = watch(list.read());
    notice();
    answer(0, ['old']);
    expect(seen.values).toEqual([['old']]);
    expect(list.known).toEqual([]);
    list.read().subscribe();
    expect(readings).toHaveLength(2);
  });

  it('is taken from the live list as it comes', () => {
    const { list, readings, live$ } = sideList();
    list.read().subscribe();
    live$.next(['live']);
    expect(watch(list.read()).values).toEqual([['live']]);
    expect(readings).toHaveLength(1);
  });

  it('is empty where it cannot be read, and the next who asks may have more luck', () => {
    const { list, readings, answer } = sideList();
    const unlucky = watch(list.read());
    readings[0]?.error(new Error('no'));
    expect(unlucky).toMatchObject({ values: [[]], completed: true, error: undefined });
    const lucky = watch(list.read());
    answer(1, ['a']);
    expect(lucky.values).toEqual([['a']]);
  });

  it('is empty where reading it throws', () => {
    const { list } = sideList({
      read: () => {
        throw new Error('odd');
      },
    });
    expect(watch(list.read())).toMatchObject({ values: [[]], completed: true });
  });

  it('is followed again by the next reader where following failed, and once at a time', () => {
    let followed = 0;
    const failing$ = new Observable<never>((subscriber) => {
      followed += 1;
      subscriber.error(new Error('cut'));
    });
    const { list } = sideList({ live$: failing$ });
    list.read().subscribe();
    list.read().subscribe();
    expect(followed).toBe(2);
    const lasting = sideList();
    let open = 0;
    const { list: other } = sideList({
      live$: new Observable<never>(() => {
        open += 1;
      }),
      notifications$: lasting.notifications$,
    });
    other.read().subscribe();
    other.read().subscribe();
    expect(open).toBe(1);
  });

  it('need not be asked for where following brings it at once', () => {
    const { list, readings } = sideList({ live$: concat(of(['now']), NEVER) });
    expect(watch(list.read()).values).toEqual([['now']]);
    expect(readings).toHaveLength(0);
  });

  it('still hears of changes where the live list has ended', () => {
    const { list, readings, answer, notice } = sideList({ live$: EMPTY });
    list.read().subscribe();
    answer(0, ['a']);
    notice();
    list.read().subscribe();
    expect(readings).toHaveLength(2);
  });

  it('gives up a reading that nobody waits for', () => {
    const { list, readings } = sideList();
    list.read().subscribe().unsubscribe();
    expect(readings[0]?.observed).toBe(false);
  });

  it('follows nothing once it is closed', () => {
    const { list, live$, notifications$ } = sideList({ read: () => throwError(() => new Error('closed')) });
    list.read().subscribe();
    list.close();
    expect([live$.observed, notifications$.observed]).toEqual([false, false]);
    list.read().subscribe();
    expect([live$.observed, notifications$.observed]).toEqual([false, false]);
    list.close();
  });
});
