import { EventEmitter } from 'node:events';
import { type FSWatcher, mkdirSync, renameSync, rmSync, symlinkSync, type watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Subject, type Subscription } from 'rxjs';
import { type FileChange, watchFile, type WatchTerms } from '../../../src/config/servers/watch-file.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch as watched } from '../../support/client/watch.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const watching = new Set<Subscription>();

afterEach(() => {
  for (const one of watching) one.unsubscribe();
  watching.clear();
});

/** Watches a file; `next` resolves with the next change that was not asked for yet. */
const watchIt = (file: string, terms: Partial<WatchTerms> = {}) => {
  const changes: FileChange[] = [];
  const came = new Subject<void>();
  const subscription = watchFile(file, { delayMs: 20, ...terms }).subscribe((change) => {
    changes.push(change);
    came.next();
  });
  watching.add(subscription);
  let asked = 0;
  const next = async (): Promise<FileChange> => {
    asked += 1;
    while (changes.length < asked) await new Promise<void>((resolve) => came.subscribe(() => resolve()));
    return changes[asked - 1] as FileChange;
  };
  return { next, changes, subscription };
};

const CHANGED = { problem: undefined };

describe('watching a file', () => {
  it('tells when it is written, removed and made again', async () => {
    const file = join(temporaryFolder(), 'a.json');
    writeFileSync(file, '1');
    const { next } = watchIt(file);
    writeFileSync(file, '2');
    expect(await next()).toEqual(CHANGED);
    rmSync(file);
    expect(await next()).toEqual(CHANGED);
    writeFileSync(file, '3');
    expect(await next()).toEqual(CHANGED);
  });

  it('tells when another takes its place, and goes on with that one', async () => {
    const home = temporaryFolder();
    const [file, draft] = [join(home, 'a.json'), join(home, 'a.json.tmp')];
    writeFileSync(file, '1');
    const { next } = watchIt(file);
    for (const text of ['2', '3']) {
      writeFileSync(draft, text);
      renameSync(draft, file);
      expect(await next()).toEqual(CHANGED);
    }
    writeFileSync(file, '4');
    expect(await next()).toEqual(CHANGED);
  });

  it('tells when its folders come, go and come again', async () => {
    const home = temporaryFolder();
    const [above, below] = [join(home, 'b'), join(home, 'b', 'c')];
    const file = join(below, 'a.json');
    const { next } = watchIt(file);
    mkdirSync(below, { recursive: true });
    expect(await next()).toEqual(CHANGED);
    writeFileSync(file, '1');
    expect(await next()).toEqual(CHANGED);
    rmSync(above, { recursive: true });
    expect(await next()).toEqual(CHANGED);
    mkdirSync(above);
    expect(await next()).toEqual(CHANGED);
    mkdirSync(below);
    expect(await next()).toEqual(CHANGED);
    writeFileSync(file, '2');
    expect(await next()).toEqual(CHANGED);
  });

  it('tells when its folder is put in the place of another', async () => {
    const home = temporaryFolder();
    const [used, spare] = [join(home, 'used'), join(home, 'spare')];
    for (const one of [used, spare]) mkdirSync(one);
    const file = join(used, 'a.json');
    writeFileSync(file, '1');
    const { next } = watchIt(file);
    renameSync(used, join(home, 'old'));
    renameSync(spare, used);
    expect(await next()).toEqual(CHANGED);
    writeFileSync(file, '2');
    expect(await next()).toEqual(CHANGED);
  });

  it('tells when what it points to changes', async () => {
    const [home, other] = [temporaryFolder(), temporaryFolder()];
    const [file, real] = [join(home, 'a.json'), join(other, 'real.json')];
    writeFileSync(real, '1');
    symlinkSync(real, file);
    const { next } = watchIt(file);
    writeFileSync(real, '2');
    expect(await next()).toEqual(CHANGED);
  });

  it('tells nothing of other files', async () => {
    const home = temporaryFolder();
    const file = join(home, 'a.json');
    const { next, changes } = watchIt(file);
    writeFileSync(join(home, 'b.json'), '1');
    writeFileSync(file, '1');
    await next();
    writeFileSync(join(home, 'a.jsonc'), '1');
    writeFileSync(file, '2');
    await next();
    expect(changes).toHaveLength(2);
  });
});

/** Watchers whose events and faults are told by hand. */
const byHand = () => {
  const open: { watcher: EventEmitter; folder: string; tell: (name: string | null) => void }[] = [];
  const hand = { open, fault: undefined as Error | undefined, tries: 0, persistent: [] as unknown[] };
  const opener = (
    path: string,
    options: { persistent: boolean },
    listener: (type: string, name: string | null) => void,
  ) => {
    hand.tries += 1;
    hand.persistent.push(options.persistent);
    if (hand.fault !== undefined) throw hand.fault;
    const one = {
      watcher: Object.assign(new EventEmitter(), {
        close: () => {
          if (open.includes(one)) open.splice(open.indexOf(one), 1);
        },
      }),
      folder: path,
      tell: (name: string | null) => listener('change', name),
    };
    open.push(one);
    return one.watcher as unknown as FSWatcher;
  };
  return Object.assign(hand, { opener: opener as unknown as typeof watch });
};

const fault = (code: string): Error => Object.assign(new Error(`${code}: no`), { code });

describe('the watchers of a file', () => {
  it('tell a burst once, as soon as it is over', () => {
    const home = temporaryFolder();
    inVirtualTime(({ at }) => {
      const hand = byHand();
      const seen = watched(watchFile(join(home, 'a.json'), { delayMs: 200, open: hand.opener }));
      for (const ms of [0, 100, 250, 300]) at(ms, () => hand.open[0]?.tell('a.json'));
      at(350, () => hand.open[0]?.tell('other.json'));
      at(499, () => expect(seen.values).toEqual([]));
      at(501, () => {
        expect(seen.values).toEqual([CHANGED]);
        seen.subscription.unsubscribe();
      });
    });
  });

  it('tell a change where the system does not say of what, or says it in other letters', () => {
    const home = temporaryFolder();
    inVirtualTime(({ at }) => {
      const hand = byHand();
      const seen = watched(watchFile(join(home, 'caf\u00e9.json'), { delayMs: 1, open: hand.opener }));
      at(0, () => hand.open[0]?.tell(null));
      at(10, () => hand.open[0]?.tell('CAFE\u0301.json'));
      at(20, () => {
        expect(seen.values).toHaveLength(2);
        seen.subscription.unsubscribe();
      });
    });
  });

  it('are closed, all of them, when nobody looks any longer, and tell nothing that was held back', () => {
    const home = temporaryFolder();
    inVirtualTime(({ at }) => {
      const hand = byHand();
      const seen = watched(watchFile(join(home, 'a.json'), { delayMs: 200, open: hand.opener }));
      at(0, () => hand.open[0]?.tell('a.json'));
      at(300, () => hand.open[0]?.tell('a.json'));
      at(400, () => {
        expect(hand.open.map((one) => one.folder)).toEqual([home, join(home, '..')]);
        seen.subscription.unsubscribe();
        expect(hand.open).toEqual([]);
      });
      at(1_000, () => expect(seen.values).toHaveLength(1));
      at(1_000, () => expect(new Set(hand.persistent)).toEqual(new Set([false])));
    });
  });

  it('say what is wrong where there can be none, and are tried again for a while', () => {
    const home = temporaryFolder();
    inVirtualTime(({ at }) => {
      const hand = byHand();
      hand.fault = fault('ENOSPC');
      const seen = watched(watchFile(join(home, 'a.json'), { delayMs: 200, open: hand.opener }));
      expect(seen.values).toEqual([{ problem: expect.stringMatching(/watches no more files.*max_user_watches/) }]);
      at(5_000, () => {
        expect(hand.tries).toBeGreaterThan(2);
        hand.fault = undefined;
      });
      at(20_000, () => {
        expect(seen.values.at(-1)).toEqual(CHANGED);
        hand.open[0]?.tell('a.json');
      });
      at(30_000, () => {
        expect(seen.values.slice(-2)).toEqual([CHANGED, CHANGED]);
        seen.subscription.unsubscribe();
      });
    });
  });

  it('are given up in the end, and keep nothing waiting', () => {
    const home = temporaryFolder();
    inVirtualTime(({ at }) => {
      const hand = byHand();
      hand.fault = fault('EMFILE');
      const seen = watched(watchFile(join(home, 'a.json'), { delayMs: 200, open: hand.opener }));
      at(1_000_000, () => {
        expect(hand.tries).toBe(7);
        expect(new Set(seen.values.map(({ problem }) => problem))).toEqual(
          new Set([expect.stringContaining('max_user_instances')]),
        );
      });
      at(10_000_000, () => expect(hand.tries).toBe(7));
      at(10_000_001, () => seen.subscription.unsubscribe());
    });
  });

  it('are made anew after one of them breaks', () => {
    const home = temporaryFolder();
    inVirtualTime(({ at }) => {
      const hand = byHand();
      const seen = watched(watchFile(join(home, 'a.json'), { delayMs: 200, open: hand.opener }));
      at(0, () => {
        hand.open[0]?.watcher.emit('error', fault('EPERM'));
        expect(seen.values).toEqual([{ problem: 'EPERM: no' }]);
      });
      at(1_000, () => {
        expect(seen.values.slice(1)).toEqual([CHANGED]);
        expect(hand.open).toHaveLength(2);
        seen.subscription.unsubscribe();
      });
    });
  });

  it('are there for a folder that came while the one above began to be watched', () => {
    const home = temporaryFolder();
    const below = join(home, 'later');
    inVirtualTime(({ at }) => {
      const hand = byHand();
      const open = ((...where: Parameters<typeof hand.opener>) => {
        mkdirSync(below, { recursive: true });
        return hand.opener(...where);
      }) as typeof watch;
      const seen = watched(watchFile(join(below, 'a.json'), { delayMs: 200, open }));
      expect(hand.open.map((one) => one.folder)).toEqual([below, home]);
      at(1, () => seen.subscription.unsubscribe());
    });
  });

  it('are given up at once where folders say that they are there, and are not', () => {
    const home = temporaryFolder();
    inVirtualTime(({ at }) => {
      const hand = byHand();
      hand.fault = fault('ENOENT');
      const seen = watched(watchFile(join(home, 'a.json'), { delayMs: 200, open: hand.opener }));
      expect(seen.values).toEqual([{ problem: 'its folders come and go' }]);
      at(1, () => seen.subscription.unsubscribe());
    });
  });
});
