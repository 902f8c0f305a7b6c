import { catchError, isObservable, Observable, of, type Subscription } from 'rxjs';
import type { Tool } from '../../protocol/schemas/index.js';
import type { Mount } from './mount.js';
import { type MountList, Published } from './published.js';

/** A mount whose live list is looked at. */
interface Followed {
  tools: MountList;
  subscription?: Subscription;
}

/** The live list of a foreign provider, if it has one. */
const liveOf = ({ provider }: Mount): Observable<unknown> | undefined => {
  try {
    const { tools$ } = provider;
    return isObservable(tools$) ? tools$ : undefined;
  } catch {
    return undefined;
  }
};

/**
 * The tools of mounts that come and go, under their names: now, as far as they are known, and after every change. While
 * nothing is known of any, it waits. What is known of one stays known while others come and go. One whose list fails has
 * none. Completes with `mounts$`, and errors only if that does. Unsubscribing lets go of all of them.
 */
export const liveTools = (mounts$: Observable<readonly Mount[]>, separator: string): Observable<readonly Tool[]> =>
  new Observable((subscriber) => {
    const followed = new Map<Mount, Followed>();
    let current: readonly Mount[] = [];
    let published: Published | undefined;
    let following = 0;

    const publish = (): void => {
      // Those that tell what they have as they are subscribed to are published together.
      if (following > 0) return;
      const live = current.flatMap((mount) => {
        const one = followed.get(mount);
        return one === undefined ? [] : [{ mount, tools: one.tools }];
      });
      const isKnown = live.length === 0 || live.some(({ tools }) => tools !== undefined);
      if (published === undefined && !isKnown) return;
      // Who has nothing changes nothing by coming and going.
      const some = live.filter(({ tools }) => tools !== undefined && tools.length > 0);
      const next = Published.of(
        some.map(({ mount }) => mount),
        some.map(({ tools }) => tools),
        separator,
        published,
      );
      if (next === published) return;
      published = next;
      subscriber.next(next.tools);
    };

    const follow = (mount: Mount): void => {
      const tools$ = liveOf(mount);
      if (tools$ === undefined || followed.has(mount)) return;
      const one: Followed = { tools: undefined };
      followed.set(mount, one);
      one.subscription = tools$.pipe(catchError(() => of([]))).subscribe({
        next: (tools) => {
          one.tools = Array.isArray(tools) ? (tools as readonly Tool[]) : [];
          publish();
        },
        error: () => undefined,
      });
      // A provider may be taken out by what its list, told at once, caused.
      if (followed.get(mount) !== one) one.subscription.unsubscribe();
    };

    const leave = (mount: Mount): void => {
      const one = followed.get(mount);
      followed.delete(mount);
      one?.subscription?.unsubscribe();
    };

    subscriber.add(() => {
      for (const mount of [...followed.keys()]) leave(mount);
    });
    subscriber.add(
      mounts$.subscribe({
        next: (mounts) => {
          current = mounts;
          following += 1;
          for (const mount of [...followed.keys()]) if (!mounts.includes(mount)) leave(mount);
          for (const mount of mounts) if (!subscriber.closed && current === mounts) follow(mount);
          following -= 1;
          publish();
        },
        error: (reason: unknown) => {
          subscriber.error(reason);
        },
        complete: () => {
          subscriber.complete();
        },
      }),
    );
  });
