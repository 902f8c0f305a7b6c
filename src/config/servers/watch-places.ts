import { readlinkSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** A folder to be watched, and the name in it that matters. */
export interface WatchPlace {
  readonly folder: string;
  readonly name: string;
}

/** As many links as systems follow. */
const MOST_LINKS = 40;

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/** What a link points to; `undefined` for what is none. */
const linkTarget = (path: string): string | undefined => {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
};

const nearest = (path: string): WatchPlace | undefined => {
  const folder = dirname(path);
  if (folder === path) return undefined;
  return isFolder(folder) ? { folder, name: basename(path) } : nearest(folder);
};

/**
 * Where changes of a file are seen, as things are at the moment: in its folder, or as long as there is none in the nearest
 * one above; in the folder above that, where it is replaced as a whole; and where the file is a link, in those of what it
 * points to.
 */
export const watchPlaces = (file: string, links = 0): readonly WatchPlace[] => {
  const place = nearest(file);
  if (place === undefined) return [];
  const above = nearest(place.folder);
  const target = links < MOST_LINKS ? linkTarget(resolve(place.folder, place.name)) : undefined;
  const linked = target === undefined ? [] : watchPlaces(resolve(place.folder, target), links + 1);
  return [place, ...(above === undefined ? [] : [above]), ...linked];
};
