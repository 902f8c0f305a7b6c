import { catchError, defer, forkJoin, from, map, mergeMap, type Observable, of, tap, throwError } from 'rxjs';
import type { ReadOptions } from '../../client/index.js';
import type { Tool } from '../../protocol/schemas/index.js';
import type { Backend, Happened, PlannedCall, Ready } from '../backend.js';
import type { BatchOptions } from '../batch-options.js';
import { failed } from '../outcome.js';
import { Published } from './published.js';
import { type Mount, type Place, placeByPrefix } from './mount.js';
import { callsOf } from './provider-calls.js';
import { knownToolsOf, toolsOf } from './provider-tools.js';

/** A provider that could not say what it has. */
export interface MissingProvider {
  readonly prefix: string;
  readonly reason: unknown;
}

/** Hears who could not. */
export type OnMissing = (missing: readonly MissingProvider[]) => void;

/** The calls that go to one mount. */
interface Share {
  readonly mount: Mount;
  readonly slots: number[];
  readonly calls: PlannedCall[];
}

/**
 * Many providers as one: their tools under prefixed names, and each call to the provider of its tool. Each batch is at
 * most one batch for each of them, and they run beside each other.
 */
export class Router implements Backend {
  readonly #mounts: () => readonly Mount[];
  readonly #separator: string;
  #published: Published | undefined;

  /** @param mounts tells what is mounted at the moment */
  constructor(mounts: () => readonly Mount[], separator: string) {
    this.#mounts = mounts;
    this.#separator = separator;
  }

  /**
   * All tools under their names. Emits once. Errors with what a provider raises; with `onMissing` it goes without that
   * provider, and says so.
   */
  list(options: ReadOptions, onMissing?: OnMissing): Observable<readonly Tool[]> {
    return this.#read(({ provider }) => toolsOf(provider, options), onMissing);
  }

  /** The same, as far as it is known without asking again. */
  known(onMissing?: OnMissing): Observable<readonly Tool[]> {
    return this.#read((mount) => {
      const before = this.#published?.listOf(mount);
      return knownToolsOf(mount.provider) ?? (before === undefined ? toolsOf(mount.provider, {}) : of(before));
    }, onMissing);
  }

  #read(
    tools: (mount: Mount) => Observable<readonly Tool[]>,
    onMissing: OnMissing | undefined,
  ): Observable<readonly Tool[]> {
    return defer(() => {
      const mounts = this.#mounts();
      const missing: MissingProvider[] = [];
      if (mounts.length === 0) return of(this.#publish([], []));
      return forkJoin(
        mounts.map((mount) =>
          tools(mount).pipe(
            catchError((reason: unknown) => {
              if (onMissing === undefined) return throwError(() => reason);
              missing.push({ prefix: mount.prefix, reason });
              return of([]);
            }),
          ),
        ),
      ).pipe(
        map((lists) => this.#publish(mounts, lists)),
        tap(() => {
          if (missing.length > 0) onMissing?.(missing);
        }),
      );
    });
  }

  /** Names the tools of the mounts, and knows the way back from now on. */
  #publish(mounts: readonly Mount[], lists: readonly (readonly Tool[])[]): readonly Tool[] {
    this.#published = Published.of(mounts, lists, this.#separator, this.#published);
    return this.#published.tools;
  }

  prepare(): Observable<Ready> {
    // What was declared is known. Nothing is asked for here: one that hangs would keep the calls of all others.
    return defer(() => of(this.#ready()));
  }

  #ready(): Ready {
    const published = this.#published;
    const mounts = this.#mounts();
    const placeOf = (name: string): Place | undefined => {
      const place = published?.place(name);
      // One that was taken out since has no tools any longer.
      if (place !== undefined && mounts.includes(place.mount)) return place;
      return placeByPrefix(mounts, this.#separator, name);
    };
    return {
      rawName: (name, format) => published?.rawName(name, format) ?? name,
      run: (calls, options, reports) => this.#run(calls, options, reports, placeOf),
    };
  }

  #run(
    calls: readonly PlannedCall[],
    options: BatchOptions,
    reports: boolean,
    placeOf: (name: string) => Place | undefined,
  ): Observable<Happened> {
    const shares = new Map<Mount, Share>();
    const lost: Happened[] = [];
    for (const [slot, call] of calls.entries()) {
      const place = placeOf(call.name);
      if (place === undefined) {
        const outcome = failed(
          `Error: there is no tool ${JSON.stringify(call.name)}: call one of those that are declared.`,
        );
        lost.push({ slot, value: { kind: 'outcome', outcome } });
        continue;
      }
      const share = shares.get(place.mount) ?? { mount: place.mount, slots: [], calls: [] };
      shares.set(place.mount, share);
      share.slots.push(slot);
      share.calls.push({ ...call, name: place.name });
    }
    const run = ({ mount, slots, calls: own }: Share): Observable<Happened> =>
      callsOf(mount, own, options, reports).pipe(map(({ slot, value }) => ({ slot: slots[slot] as number, value })));
    return from([of(...lost), ...[...shares.values()].map(run)]).pipe(mergeMap((happened$) => happened$));
  }
}
