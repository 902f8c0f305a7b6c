import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { firstValueFrom } from 'rxjs';
import { oauth } from '../../../src/auth/index.js';
import { fileTokenStore } from '../../../src/auth/node/index.js';
import { newFolder } from '../../support/auth/folder.js';
import { openHeadless, REDIRECT } from '../../support/auth/headless.js';
import { startRealm } from '../../support/auth/realm.js';
import { rejection, thrownBy, watch } from '../../support/client/watch.js';
import { until } from '../../support/http/turns.js';
import { startParent } from '../../support/parent-processes.js';
import type { StoredRecord } from '../../../src/auth/index.js';

describe('tokens in files', () => {
  it('are kept, replaced and forgotten, each in a file that is its owner’s alone', async () => {
    const directory = join(await newFolder(), 'deep', 'tokens');
    const store = fileTokenStore({ directory });
    expect(await store.get('a')).toBeUndefined();
    await store.delete('a');
    await store.set('a', { secret: 1 });
    await store.set('b/../../c', { secret: 2 });
    await store.set('a', { secret: 3 });
    const files = await readdir(directory);
    expect(files).toHaveLength(2);
    for (const file of files) expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect(await fileTokenStore({ directory }).get('a')).toEqual({ secret: 3 });
    await store.delete('a');
    expect([await store.get('a'), await store.get('b/../../c')]).toEqual([undefined, { secret: 2 }]);
  });

  it.each(['', '{"key":"a","rec', '[]', '{"key":"b","record":{}}', '{"key":"a","record":null}'])(
    'are as good as none where a file holds something else: %j',
    async (text) => {
      const directory = await newFolder();
      const store = fileTokenStore({ directory });
      await store.set('a', {});
      const [file] = await readdir(directory);
      await writeFile(join(directory, file!), text);
      expect(await store.get('a')).toBeUndefined();
      await store.set('a', { good: true });
      expect(await store.get('a')).toEqual({ good: true });
    },
  );

  it('are whole at every moment, however many write at once', async () => {
    const directory = await newFolder();
    const store = fileTokenStore({ directory });
    const long = 'x'.repeat(100_000);
    await store.set('a', { index: -1, long });
    const writes = Promise.all(Array.from({ length: 40 }, (_, index) => store.set('a', { index, long })));
    for (let reads = 0; reads < 40; reads += 1) expect(await store.get('a')).toMatchObject({ long });
    await writes;
    expect(await readdir(directory)).toHaveLength(1);
  });

  it('are never written through a link that somebody put in their place', async () => {
    const folder = await newFolder();
    const directory = join(folder, 'tokens');
    const store = fileTokenStore({ directory });
    await store.set('a', { secret: 1 });
    const [file] = await readdir(directory);
    await store.delete('a');
    await writeFile(join(folder, 'target'), 'untouched');
    await symlink(join(folder, 'target'), join(directory, file!));
    expect(await store.get('a')).toBeUndefined();
    await store.set('a', { secret: 2 });
    expect(await readFile(join(folder, 'target'), 'utf8')).toBe('untouched');
    expect((await stat(join(directory, file!))).isFile()).toBe(true);
  });

  it('are not kept where everybody may write', async () => {
    const directory = join(await newFolder(), 'shared');
    await mkdir(directory);
    await chmod(directory, 0o777);
    const store = fileTokenStore({ directory });
    const refused = { name: 'OptionError', option: 'directory', message: expect.stringContaining('chmod 700') };
    expect(await rejection(store.set('a', {}) as Promise<unknown>)).toMatchObject(refused);
    expect(await rejection(store.get('a') as Promise<unknown>)).toMatchObject(refused);
    expect(await watch(store.lock!('a')).end).toMatchObject(refused);
    expect(await readdir(directory)).toEqual([]);
    await chmod(directory, 0o755);
    await store.set('a', { secret: 1 });
    expect(await store.get('a')).toEqual({ secret: 1 });
  });

  it('have no other option', () => {
    const make = () => fileTokenStore({ directory: 'tokens', dir: 'tokens' } as never);
    expect(thrownBy(make)).toMatchObject({ name: 'OptionError', option: 'dir' });
  });

  it.each([undefined, '', 5])('need a folder: %p is an OptionError', (directory) => {
    expect(thrownBy(() => fileTokenStore({ directory: directory as string }))).toMatchObject({ option: 'directory' });
  });
});

describe('processes that share tokens in files', () => {
  /** A realm, and a folder with tokens for it that have expired. */
  const expired = async () => {
    const realm = await startRealm();
    const directory = await newFolder();
    const store = fileTokenStore({ directory });
    await watch(oauth({ redirectUri: REDIRECT, open: openHeadless, store }).authorize(realm.url)).end;
    const key = `tokens ${realm.origin} registered ${realm.url}`;
    const tokens = (await store.get(key)) as StoredRecord;
    await store.set(key, { ...tokens, expiresAt: 1, refreshAt: 1 });
    realm.revoke();
    return { realm, directory, key, store };
  };

  it('refresh once: twenty calls in each of two have their answers', async () => {
    const { realm, directory } = await expired();
    const parents = [1, 2].map(() => startParent('refresher', realm.url, directory));
    for (const parent of parents) expect(await parent.line()).toBe('ready');
    for (const parent of parents) parent.process.stdin.write('go\n');
    for (const parent of parents) expect(JSON.parse(await parent.line())).toEqual({ answers: 20, reasons: [] });
    await Promise.all(parents.map(({ ended }) => ended));
    expect(realm.refreshes).toEqual([200]);
    expect((await readdir(directory)).filter((file) => file.includes('.lock'))).toEqual([]);
  });

  it('go on within ten seconds where one is killed while it holds the lock', async () => {
    const { realm, directory, key } = await expired();
    const holder = startParent('refresher', realm.url, directory, key);
    expect(await holder.line()).toBe('held');
    const other = startParent('refresher', realm.url, directory);
    expect(await other.line()).toBe('ready');
    other.process.stdin.write('go\n');
    // It waits as long as the holder lives, and the holder is killed no sooner than it does.
    await realm.loopback.until(() => realm.loopback.received.length > 0);
    expect(realm.refreshes).toEqual([]);
    const killed = performance.now();
    holder.process.kill('SIGKILL');
    await holder.ended;
    expect(JSON.parse(await other.line())).toEqual({ answers: 20, reasons: [] });
    expect(performance.now() - killed).toBeLessThan(10_000);
    await other.ended;
    expect(realm.refreshes).toEqual([200]);
    expect(await readFile(join(directory, (await readdir(directory))[0]!), 'utf8')).not.toBe('');
  });

  it('have the lock of a key one after another, and each key its own', async () => {
    const store = fileTokenStore({ directory: await newFolder() });
    const first = watch(store.lock!('a'));
    await until(() => first.values.length === 1);
    const second = watch(store.lock!('a'));
    await firstValueFrom(store.lock!('b'));
    expect(second.values).toEqual([]);
    first.subscription.unsubscribe();
    await until(() => second.values.length === 1);
    second.subscription.unsubscribe();
  });
});
