import { randomUUID } from 'node:crypto';
import { open, readFile, stat, unlink, utimes } from 'node:fs/promises';
import {
  concat,
  concatMap,
  defer,
  exhaustMap,
  filter,
  from,
  ignoreElements,
  interval,
  Observable,
  of,
  repeat,
  take,
  timer,
} from 'rxjs';
import { quietly } from '../../rx/index.js';

/** How a lock is kept and waited for. */
export interface LockTerms {
  /** How often who waits looks, in ms. */
  readonly pollMs: number;
  /** How often the holder shows that it lives, in ms. */
  readonly beatMs: number;
  /** After how many looks without a sign of life a lock is nobody's. Looks, and not time: a machine may have slept. */
  readonly patience: number;
}

/** Who waits longer than four seconds for a sign of life goes on. */
const TERMS: LockTerms = { pollMs: 200, beatMs: 1_000, patience: 20 };

const codeOf = (reason: unknown): unknown => (reason as { code?: unknown } | null)?.code;

/** Makes a file that must not be there: true if it was made. */
const created = async (path: string, content: string): Promise<boolean> => {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    return true;
  } catch (reason) {
    if (codeOf(reason) === 'EEXIST') return false;
    throw reason;
  }
};

const quietUnlink = async (path: string): Promise<void> => unlink(path).catch(() => undefined);

/** What tells one life sign of a lock from the next; nothing where there is no lock. */
const signOf = async (path: string): Promise<string | undefined> => {
  try {
    const { mtimeMs, ino } = await stat(path);
    return `${ino} ${mtimeMs}`;
  } catch {
    return undefined;
  }
};

/** Takes away a lock of which there was no sign of life. A second lock, held for a moment, keeps two from doing it at once. */
const takenAway = async (path: string, sign: string, patience: Patience): Promise<void> => {
  const second = `${path}.taking`;
  if (!(await created(second, ''))) {
    if (patience.isOver(await signOf(second), second)) await quietUnlink(second);
    return;
  }
  try {
    if ((await signOf(path)) === sign) await quietUnlink(path);
  } finally {
    await quietUnlink(second);
  }
};

/** Counts looks at which nothing had changed. */
class Patience {
  readonly #limit: number;
  readonly #seen = new Map<string, { sign: string | undefined; looks: number }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  isOver(sign: string | undefined, path: string): boolean {
    const before = this.#seen.get(path);
    const looks = before !== undefined && before.sign === sign ? before.looks + 1 : 0;
    this.#seen.set(path, { sign, looks });
    return sign !== undefined && looks >= this.#limit;
  }
}

/**
 * A lock that is a file: cold; emits once when it is held, holds it until it is unsubscribed, and does not complete. Errors
 * with what the file system says. A holder that ended, however it did, is followed by another within a few seconds.
 */
export const lockFile = (path: string, { pollMs, beatMs, patience: limit }: LockTerms = TERMS): Observable<unknown> =>
  new Observable((subscriber) => {
    const id = randomUUID();
    const patience = new Patience(limit);
    let isHeld = false;
    const release = async (): Promise<void> => {
      // It may have been taken away, and be another's now.
      if ((await readFile(path, 'utf8').catch(() => '')) === id) await quietUnlink(path);
    };
    const look = async (): Promise<boolean> => {
      if (await created(path, id)) {
        isHeld = true;
        // Nobody waits for it any longer.
        if (subscriber.closed) await release();
        return true;
      }
      const sign = await signOf(path);
      if (sign !== undefined && patience.isOver(sign, path)) await takenAway(path, sign, patience);
      return false;
    };
    const beats$ = interval(beatMs).pipe(
      exhaustMap(() => from(beat(path, id))),
      ignoreElements(),
    );
    subscriber.add(() => {
      if (isHeld) quietly(() => from(release()));
    });
    subscriber.add(
      defer(() => from(look()))
        .pipe(
          repeat({ delay: () => timer(pollMs) }),
          filter((isOurs) => isOurs),
          take(1),
          concatMap(() => concat(of(undefined), beats$)),
        )
        .subscribe({
          next: (value) => {
            subscriber.next(value);
          },
          error: (reason: unknown) => {
            subscriber.error(reason);
          },
        }),
    );
  });

/** Shows that the holder lives; of a lock that is another's by now nothing is said. */
const beat = async (path: string, id: string): Promise<void> => {
  if ((await readFile(path, 'utf8').catch(() => '')) !== id) return;
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
};
