import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { concatMap, defer, from, type Observable } from 'rxjs';
import { OptionError } from '../../errors/index.js';
import { type Check, checkOptions, refuse } from '../../jsonrpc/checks.js';
import { isObject } from '../../jsonrpc/index.js';
import type { StoredRecord, TokenStore } from '../token-store.js';
import { lockFile } from './lock-file.js';

/** Where tokens are kept in files. */
export interface FileTokenStoreOptions {
  /** The folder; it is made when it is needed, for its owner alone. */
  readonly directory: string;
}

const directory: Check = (value, name) => {
  if (typeof value !== 'string' || value === '') refuse(name, 'give the path of a folder');
};
const CHECKS = { directory };

const OWNER_ALONE = 0o600;

const isMissing = (reason: unknown): boolean => (reason as { code?: unknown } | null)?.code === 'ENOENT';

/** Whoever can write into the folder could put tokens of their own there, and have requests made with them. */
const requireOwn = async (directory: string): Promise<void> => {
  // Where there are no owners, or nothing yet, there is nothing to look at.
  const own = getuid?.();
  const found = await stat(directory).catch(() => undefined);
  if (own === undefined || found === undefined) return;
  if ((found.mode & 0o002) !== 0)
    throw new OptionError('directory', `everybody may write into ${directory}: chmod 700`);
  if (found.uid !== own && found.uid !== 0 && own !== 0)
    throw new OptionError('directory', `${directory} is somebody else's: give a folder of your own`);
};

/** Two processes may share it: each record is a file of its own, so that none overwrites what another one has kept. */
class FileTokenStore implements TokenStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async get(key: string): Promise<StoredRecord | undefined> {
    await requireOwn(this.#directory);
    try {
      const kept: unknown = JSON.parse(await readFile(this.#path(key, 'json'), 'utf8'));
      // Names are hashes of keys: the key within says that it is the one.
      return isObject(kept) && kept['key'] === key && isObject(kept['record']) ? kept['record'] : undefined;
    } catch (reason) {
      // What cannot be read is as good as nothing: the next record takes its place.
      if (isMissing(reason) || reason instanceof SyntaxError) return undefined;
      throw reason;
    }
  }

  async set(key: string, record: StoredRecord): Promise<void> {
    await this.#prepare();
    const path = this.#path(key, 'json');
    const draft = `${path}.${randomUUID()}`;
    try {
      await writeFile(draft, `${JSON.stringify({ key, record })}\n`, { mode: OWNER_ALONE, flag: 'wx', flush: true });
      // A umask may take from the mode, and never adds to it; on a file system without modes it does nothing.
      await chmod(draft, OWNER_ALONE).catch(() => undefined);
      await rename(draft, path);
    } catch (reason) {
      await unlink(draft).catch(() => undefined);
      throw reason;
    }
  }

  async delete(key: string): Promise<void> {
    await unlink(this.#path(key, 'json')).catch((reason: unknown) => {
      if (!isMissing(reason)) throw reason;
    });
  }

  lock(key: string): Observable<unknown> {
    return defer(() => from(this.#prepare())).pipe(concatMap(() => lockFile(this.#path(key, 'lock'))));
  }

  async #prepare(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    await requireOwn(this.#directory);
  }

  #path(key: string, ending: string): string {
    return join(this.#directory, `${createHash('sha256').update(key).digest('hex')}.${ending}`);
  }
}

/**
 * Keeps tokens and client ids in the files of a folder, each for its owner alone (0600), replaced whole or not at all. Any
 * number of processes may share it: they refresh one after another, and where one ends while it does, the next goes on within
 * ten seconds. The files hold secrets as they are: what protects them is who may read the folder. One that
 * everybody may write into, or that is another user's, is an `OptionError` of each use. Throws an `OptionError`.
 */
export const fileTokenStore = (options: FileTokenStoreOptions): TokenStore => {
  checkOptions(options, CHECKS, 'options');
  const { directory } = options;
  if (directory === undefined) throw new OptionError('directory', 'it is missing: give the path of a folder');
  return new FileTokenStore(directory);
};
