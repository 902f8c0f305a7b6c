import {
  catchError,
  concat,
  concatMap,
  defer,
  from,
  map,
  mergeMap,
  type Observable,
  of,
  tap,
  throwError,
  timeout,
} from 'rxjs';
import { abortable } from '../../client/abortable.js';
import type { ReadOptions } from '../../client/index.js';
import { TimeoutError, UnsentError } from '../../errors/index.js';
import type { Tool } from '../../protocol/schemas/index.js';
import { guarded } from '../../rx/index.js';
import { together } from '../../rx/together.js';
import type { Backend, Happened, PlannedCall, Ready } from '../backend.js';
import type { BatchOptions } from '../batch-options.js';
import type { CallFormat } from '../formats/index.js';
import { failed } from '../outcome.js';
import { offeredBackend } from '../own-backend.js';
import type { ToolProvider } from '../provider.js';
import { type Mount, type Place, placeByPrefix } from './mount.js';
import { callsOf } from './provider-calls.js';
import { knownToolsOf, toolsOf } from './provider-tools.js';
import { type MountList, Published } from './published.js';

/** A provider that could not say what it has. */
export interface MissingProvider {
  readonly prefix: string;
  readonly reason: unknown;
}

/** Hears who could not. */
export type OnMissing = (missing: readonly MissingProvider[]) => void;

/** How long a provider may take to say what it knows, in ms. */
const KNOWN_MS = 2_000;

/** How many lists back a name may have been declared: a model goes on calling tools by the names it once read. */
const REMEMBERED = 4;

/** What was read of one mount. */
interface Reading {
  readonly list: MountList;
  readonly missing?: MissingProvider;
}

/** The calls that go to one mount. */
interface Share {
  readonly mount: Mount;
  readonly slots: number[];
  readonly calls: PlannedCall[];
}

/**
 * Many providers as one: their tools under prefixed names, and each call to the provider of its tool. Each batch is at
 * most one batch for each of them, and they run beside each other; but with `overlap: 'never'` one call after another.
 */
export class Router implements Backend {
  readonly #mounts: () => readonly Mount[];
  readonly #separator: string;
  /** What was declared, the latest first, and what was read last. */
  #shown: readonly Published[] = [];
  #latest: Published | undefined;
  #closed: string | undefined;

  /** @param mounts tells what is mounted at the moment */
  constructor(mounts: () => readonly Mount[], separator: string) {
    this.#mounts = mounts;
    this.#separator = separator;
  }

  /**
   * All tools under their names. Emits once. Errors with what a provider raises; with `onMissing` it goes without that
   * provider, and says so. Errors with `CancelledError` where `signal` is aborted.
   */
  list(options: ReadOptions, onMissing?: OnMissing): Observable<readonly Tool[]> {
    return this.#read(({ provider }) => toolsOf(provider, options), onMissing).pipe(
      // Whoever asks for the list may show it to a model, in whatever way.
      tap(() => {
        this.#remember(this.#latest);
      }),
      // Not every provider knows of signals.
      abortable(options.signal, 'tools/list'),
    );
  }

  /** The same, as far as it is known without asking again. */
  known(onMissing?: OnMissing): Observable<readonly Tool[]> {
    return this.#read((mount) => {
      const before = this.#latest?.listOf(mount);
      const known$ = knownToolsOf(mount.provider) ?? (before === undefined ? toolsOf(mount.provider, {}) : of(before));
      // One that hangs is not to keep what is known of the others.
      const late = (): Observable<readonly Tool[]> =>
        before === undefined ? throwError(() => new TimeoutError('tools/list', undefined, KNOWN_MS)) : of(before);
      return known$.pipe(timeout({ first: KNOWN_MS, with: late }));
    }, onMissing);
  }

  #read(
    tools: (mount: Mount) => Observable<readonly Tool[]>,
    onMissing: OnMissing | undefined,
  ): Observable<readonly Tool[]> {
    const read = (mount: Mount): Observable<Reading> =>
      defer(() => tools(mount)).pipe(
        map((list) => ({ list })),
        catchError((reason: unknown) =>
          onMissing === undefined
            ? throwError(() => reason)
            : of({ list: undefined, missing: { prefix: mount.prefix, reason } }),
        ),
      );
    return defer(() => {
      this.#requireOpen();
      const mounts = this.#mounts();
      const readings$ = mounts.length === 0 ? of<Reading[]>([]) : together(mounts.map(read));
      return readings$.pipe(
        map((readings) => {
          const lists = readings.map(({ list }) => list);
          const published = this.#publish(mounts, lists);
          const missing = readings.flatMap((reading) => reading.missing ?? []);
          if (missing.length > 0 && onMissing !== undefined) guarded(onMissing, missing, () => undefined);
          return published;
        }),
      );
    });
  }

  /** From now on its names mean what they mean there, whatever is read since. */
  #remember(latest: Published | undefined): void {
    if (latest === undefined || latest === this.#shown[0]) return;
    const others = this.#shown.filter((older) => !older.hasSameNames(latest));
    this.#shown = [latest, ...others].slice(0, REMEMBERED);
  }

  /** Names the tools of the mounts. */
  #publish(mounts: readonly Mount[], lists: readonly MountList[]): readonly Tool[] {
    const latest = Published.of(mounts, lists, this.#separator, this.#latest);
    this.#latest = latest;
    return latest.tools;
  }

  /** Whether the calls of a provider may come back to this router. */
  isReachedFrom(provider: ToolProvider): boolean {
    const backend = offeredBackend(provider);
    if (!(backend instanceof Router)) return false;
    return backend === this || backend.#mounts().some((mount) => this.isReachedFrom(mount.provider));
  }

  /** Lists nothing and makes no calls any longer, for this reason. */
  close(reason = 'the registry is closed'): void {
    this.#closed ??= reason;
  }

  #requireOpen(): void {
    if (this.#closed !== undefined) throw new UnsentError(this.#closed);
  }

  prepare(): Observable<Ready> {
    // What was declared is known. Nothing is asked for here: one that hangs would keep the calls of all others.
    return defer(() => {
      this.#requireOpen();
      return of(this.#ready());
    });
  }

  #ready(): Ready {
    const published = this.#latest === undefined ? this.#shown : [...this.#shown, this.#latest];
    const mounts = this.#mounts();
    const byPrefix = new Map(mounts.map((mount) => [mount.prefix, mount]));
    const placeOf = (name: string): Place | undefined => {
      const place = published.find((one) => one.place(name) !== undefined)?.place(name);
      if (place === undefined) return placeByPrefix(mounts, this.#separator, name);
      // It may have been taken out since, and another one put in its place: a call for it is nobody else's.
      const mount = byPrefix.get(place.mount.prefix);
      return mount === undefined ? undefined : { mount, name: place.name };
    };
    const rawName = (name: string, format: CallFormat): string => {
      for (const one of published) {
        const raw = one.rawName(name, format);
        if (one.place(raw) !== undefined) return raw;
      }
      return name;
    };
    const knows = (name: string): boolean | undefined =>
      published.length === 0 ? undefined : published.some((one) => one.place(name) !== undefined);
    return { rawName, knows, run: (calls, options, reports) => this.#run(calls, options, reports, placeOf) };
  }

  #run(
    calls: readonly PlannedCall[],
    options: BatchOptions,
    reports: boolean,
    placeOf: (name: string) => Place | undefined,
  ): Observable<Happened> {
    const inOrder = options.overlap === 'never';
    const shares: Share[] = [];
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
      // Strictly one after another: then what is one batch of a provider ends where the next call is another's.
      const candidates = inOrder ? shares.slice(-1) : shares;
      let share = candidates.find(({ mount }) => mount === place.mount);
      if (share === undefined) shares.push((share = { mount: place.mount, slots: [], calls: [] }));
      share.slots.push(slot);
      share.calls.push({ ...call, name: place.name });
    }
    const run = ({ mount, slots, calls: own }: Share): Observable<Happened> =>
      callsOf(mount, own, options, reports).pipe(map(({ slot, value }) => ({ slot: slots[slot] as number, value })));
    return concat(lost, from(shares).pipe(inOrder ? concatMap(run) : mergeMap(run)));
  }
}
