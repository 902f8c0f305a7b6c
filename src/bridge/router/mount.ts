import type { BridgeOptions } from '../../client/index.js';
import type { ToolProvider } from '../provider.js';

/** A provider in its place. */
export interface Mount extends BridgeOptions {
  /** What the names of its tools begin with; `''` is nothing. */
  readonly prefix: string;
  readonly provider: ToolProvider;
}

/** The name of a mounted tool. */
export const joined = ({ prefix }: Mount, separator: string, name: string): string =>
  prefix === '' ? name : `${prefix}${separator}${name}`;

/** A tool where it is mounted. */
export interface Place {
  readonly mount: Mount;
  /** Its name there. */
  readonly name: string;
}

/** The mount whose prefix a name has, the longest one of several; the rest is the name there. */
export const placeByPrefix = (mounts: readonly Mount[], separator: string, name: string): Place | undefined => {
  let found: { readonly mount: Mount; readonly start: string } | undefined;
  for (const mount of mounts) {
    const start = joined(mount, separator, '');
    if (name.startsWith(start) && (found === undefined || start.length > found.start.length)) found = { mount, start };
  }
  return found === undefined ? undefined : { mount: found.mount, name: name.slice(found.start.length) };
};
