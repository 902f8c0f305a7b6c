import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { withoutGroups } from './together.mjs';

/**
 * Makes the source maps of a folder say nothing of the machine that made them, so that every machine makes the same
 * ones: what stands in no source points at the built file itself, which is named by its whole path where the build has
 * translated it to CommonJS. Its name is enough: a map names what lies beside it. The texts of the sources are as they
 * are written, without what the build adds to them.
 */
export const withoutPlaces = async (folder) => {
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.map'))) {
    const path = join(folder, name);
    const map = JSON.parse(await readFile(path, 'utf8'));
    const sources = map.sources.map((source) => (isAbsolute(source) ? basename(source) : source));
    const sourcesContent = map.sourcesContent?.map((text) => text && withoutGroups(text));
    const file = isAbsolute(map.file ?? '') ? name.slice(0, -'.map'.length) : map.file;
    await writeFile(path, JSON.stringify({ ...map, file, sources, sourcesContent }));
  }
};
