import { type FSWatcher, watch } from 'node:fs';
import { debounceTime, EMPTY, merge, Observable, Subject, switchMap, tap } from 'rxjs';
import { messageOf } from '../../errors/index.js';
import { Backoff } from '../../rx/index.js';
import { type WatchPlace, watchPlaces } from './watch-places.js';

/** A file may be another one than before. */
export interface FileChange {
  /** Why it cannot be watched; `undefined` where it is. */
  readonly problem: string | undefined;
}

/** How a file is watched. */
export interface WatchTerms {
  /** How long nothing more must happen before it is told, in ms. */
  readonly delayMs: number;
  /** As `fs.watch`, which is the default. */
  readonly open?: typeof watch | undefined;
}

/** How often it is tried again to watch what cannot be watched: a program is not kept alive by that for ever. */
const MOST_TRIES = 6;

/** How often folders may have changed while they were looked at. */
const MOST_ROUNDS = 50;

/** Some systems keep names in another form than that in which they were written, and in another case. */
const isSameName = (one: string, other: string): boolean =>
  one.normalize().toLowerCase() === other.normalize().toLowerCase();

const isSamePlan = (one: readonly WatchPlace[], other: readonly WatchPlace[]): boolean =>
  one.length === other.length &&
  one.every(({ folder, name }, index) => folder === other[index]?.folder && name === other[index].name);

const CODES: Readonly<Record<string, string>> = {
  ENOSPC: 'the system watches no more files (on Linux, raise fs.inotify.max_user_watches)',
  EMFILE: 'the system watches no more files (on Linux, raise fs.inotify.max_user_instances)',
};

const whyNot = (reason: unknown): string =>
  CODES[(reason as NodeJS.ErrnoException | undefined)?.code ?? ''] ?? messageOf(reason);

/** The watchers of one file. */
class Watchers {
  readonly #file: string;
  readonly #open: typeof watch;
  readonly #touched: () => void;
  readonly #broken: (reason: unknown) => void;
  #all: readonly FSWatcher[] = [];

  constructor(file: string, open: typeof watch, touched: () => void, broken: (reason: unknown) => void) {
    this.#file = file;
    this.#open = open;
    this.#touched = touched;
    this.#broken = broken;
  }

  /** Watches what there is to watch now, in place of what was watched before. Throws where it cannot. */
  renew(): void {
    const before = this.#all;
    let plan = watchPlaces(this.#file);
    for (let round = 1; ; round += 1) {
      if (round > MOST_ROUNDS) throw new Error('its folders come and go');
      const opened = this.#openAll(plan);
      // What was made before its folder was watched has told nobody.
      const now = watchPlaces(this.#file);
      if (opened !== undefined && isSamePlan(plan, now)) {
        this.#all = opened;
        break;
      }
      for (const one of opened ?? []) one.close();
      plan = now;
    }
    for (const one of before) one.close();
  }

  close(): void {
    for (const one of this.#all) one.close();
    this.#all = [];
  }

  /** `undefined` where a folder has gone meanwhile. */
  #openAll(plan: readonly WatchPlace[]): readonly FSWatcher[] | undefined {
    const opened: FSWatcher[] = [];
    try {
      for (const place of plan) opened.push(this.#openOne(place));
      return opened;
    } catch (error) {
      for (const one of opened) one.close();
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    }
  }

  #openOne({ folder, name }: WatchPlace): FSWatcher {
    // The folder and not the file: many editors write a new file and rename it, and the old one is never touched again.
    const watcher = this.#open(folder, { persistent: false }, (_, changed) => {
      if (changed === null || isSameName(changed, name)) this.#touched();
    });
    return watcher.on('error', (error) => {
      watcher.close();
      this.#broken(error);
    });
  }
}

/**
 * Tells when a file may have changed: it was written, made, removed or put in the place of another, or its folder was. What
 * happens within `delayMs` is told once. Cold: it is watched from within the call of `subscribe`. Where it cannot be
 * watched, that is told at once, and tried again for a while. Never errors, never completes; unsubscribing ends it. It does
 * not keep a program alive.
 */
export const watchFile = (file: string, { delayMs, open = watch }: WatchTerms): Observable<FileChange> =>
  new Observable((subscriber) => {
    const touched = new Subject<void>();
    const broken = new Subject<void>();
    const backoff = new Backoff();
    const fail = (reason: unknown): void => {
      broken.next();
      subscriber.next({ problem: whyNot(reason) });
    };
    const watchers = new Watchers(file, open, () => touched.next(), fail);
    /** Whether it is watched. */
    const renew = (): boolean => {
      try {
        watchers.renew();
        return true;
      } catch (error) {
        fail(error);
        return false;
      }
    };
    const again$ = broken.pipe(switchMap(() => (backoff.tries < MOST_TRIES ? backoff.next() : EMPTY)));
    const calm$ = touched.pipe(
      tap(() => backoff.succeeded()),
      debounceTime(delayMs),
    );
    subscriber.add(() => watchers.close());
    subscriber.add(
      merge(calm$, again$).subscribe({
        next: () => {
          if (renew()) subscriber.next({ problem: undefined });
        },
        error: (error: unknown) => subscriber.error(error),
      }),
    );
    renew();
  });
