import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { firstValueFrom, type Observable } from 'rxjs';
import { lockFile } from '../../../src/auth/node/lock-file.js';
import { newFolder } from '../../support/auth/folder.js';
import { watch, type Watched } from '../../support/client/watch.js';
import { until } from '../../support/http/turns.js';

const QUICK = { pollMs: 1, beatMs: 1_000_000, patience: 5 };

const held = async (lock$: Observable<unknown>): Promise<Watched<unknown>> => {
  const watched = watch(lock$);
  await until(() => watched.values.length > 0);
  return watched;
};

describe('a lock that is a file', () => {
  it('is held until it is let go, and then nothing is left of it', async () => {
    const folder = await newFolder();
    const path = join(folder, 'lock');
    const first = await held(lockFile(path));
    expect(first.completed).toBe(false);
    expect(await readdir(folder)).toEqual(['lock']);
    first.subscription.unsubscribe();
    const second = await held(lockFile(path));
    second.subscription.unsubscribe();
    while ((await readdir(folder)).length > 0);
  });

  it('is had by one at a time, and by all in the end', async () => {
    const path = join(await newFolder(), 'lock');
    let holders = 0;
    const work = async (): Promise<number> => {
      const watched = await held(lockFile(path, { ...QUICK, patience: 1_000_000 }));
      holders += 1;
      await readFile(path, 'utf8');
      const now = holders;
      holders -= 1;
      watched.subscription.unsubscribe();
      return now;
    };
    expect(await Promise.all(Array.from({ length: 10 }, work))).toEqual(Array.from({ length: 10 }, () => 1));
  });

  it('of which there is no sign of life is taken away', async () => {
    const path = join(await newFolder(), 'lock');
    await writeFile(path, 'somebody who died');
    const watched = await held(lockFile(path, QUICK));
    expect(await readFile(path, 'utf8')).not.toBe('somebody who died');
    watched.subscription.unsubscribe();
  });

  it('is a file of its own, where somebody put a link in its place', async () => {
    const folder = await newFolder();
    const target = join(folder, 'target');
    await writeFile(target, 'untouched');
    await symlink(target, join(folder, 'lock'));
    const watched = await held(lockFile(join(folder, 'lock'), QUICK));
    watched.subscription.unsubscribe();
    expect(await readFile(target, 'utf8')).toBe('untouched');
  });

  it('is taken away although somebody died who was about to', async () => {
    const folder = await newFolder();
    const path = join(folder, 'lock');
    await writeFile(path, 'dead');
    await writeFile(`${path}.taking`, '');
    const watched = await held(lockFile(path, QUICK));
    watched.subscription.unsubscribe();
    expect((await readdir(folder)).filter((file) => file.endsWith('.taking'))).toEqual([]);
  });

  it('that was taken away in the meantime is not let go in another’s place', async () => {
    const path = join(await newFolder(), 'lock');
    const first = await held(lockFile(path, QUICK));
    const second = await held(lockFile(path, QUICK));
    const owner = await readFile(path, 'utf8');
    first.subscription.unsubscribe();
    await readFile(path, 'utf8');
    expect(await readFile(path, 'utf8')).toBe(owner);
    second.subscription.unsubscribe();
  });

  it('errors with what the file system says', async () => {
    const path = join(await newFolder(), 'missing', 'lock');
    await expect(firstValueFrom(lockFile(path))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
