import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';

/**
 * Makes the source maps of a folder say nothing of the machine that made them, so that every machine makes the same
 * ones: what stands in no source points at the built file itself, which is named by its whole path where the build has
 * translated it to CommonJS. Its name is enough: a map names what lies beside it.
 */
export const withoutPlaces = async (folder) => {
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.map'))) {
    const path = join(folder, name);
    const map = JSON.parse(await readFile(path, 'utf8'));
    if (![map.file ?? '', ...map.sources].some((place) => isAbsolute(place))) continue;
    const sources = map.sources.map((source) => (isAbsolute(source) ? basename(source) : source));
    await writeFile(path, JSON.stringify({ ...map, file: name.slice(0, -'.map'.length), sources }));
  }
};
