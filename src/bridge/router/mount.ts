import type { BridgeOptions } from '../../client/index.js';
import type { ToolProvider } from '../provider.js';

/** A provider in its place. */
export interface Mount extends BridgeOptions {
  /** What the names of its tools begin with; `''` is nothing. */
  readonly prefix: string;
  readonly provider: ToolProvider;
  /**
   * What the names of its tools begin with where they are whole already: nothing is put before them, and `prefix` tells the
   * mount from others. Several may begin the same.
   */
  readonly whole?: string | undefined;
}

/** The name of a mounted tool. */
export const joined = ({ prefix, whole }: Mount, separator: string, name: string): string =>
  prefix === '' || whole !== undefined ? name : `${prefix}${separator}${name}`;

/** A tool where it is mounted. */
export interface Place {
  readonly mount: Mount;
  /** Its name there. */
  readonly name: string;
}

/**
 * The mount whose prefix a name has, the longest one of several, the first of those that are as long; the rest is the name
 * there, or the whole of it.
 */
export const placeByPrefix = (mounts: readonly Mount[], separator: string, name: string): Place | undefined => {
  let found: { readonly mount: Mount; readonly start: string } | undefined;
  for (const mount of mounts) {
    const start = mount.whole ?? joined(mount, separator, '');
    if (name.startsWith(start) && (found === undefined || start.length > found.start.length)) found = { mount, start };
  }
  if (found === undefined) return undefined;
  return { mount: found.mount, name: found.mount.whole === undefined ? name.slice(found.start.length) : name };
};
