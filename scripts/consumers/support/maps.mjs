// The source maps of an installed package: there, whole, and leading where the code comes from.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { isAbsolute, join } from 'node:path';

// What is spelt the same in the built file and in its source.
const sightOf = (line) => {
  // The build gives a class that names itself an underscore.
  const [, extended, thrown] = /\bclass _?(\w+) extends|throw new (\w+)\(/.exec(line) ?? [];
  if (extended !== undefined) return `class ${extended}`;
  return thrown === undefined ? undefined : `throw new ${thrown}(`;
};

/**
 * Looks at every map of `dist`: no place of a machine is in it, no source is without its text, and each class and each
 * `throw` that is recognised in the built file is found on the line that the map names.
 */
export const checkMaps = (dist) => {
  const faults = [];
  let lines = 0;
  for (const name of readdirSync(dist).filter((file) => /\.c?js$/.test(file) && file !== 'cli.js')) {
    const code = readFileSync(join(dist, name), 'utf8');
    const path = join(dist, `${name}.map`);
    if (!existsSync(path) || !code.endsWith(`//# sourceMappingURL=${name}.map`)) {
      faults.push(`${name} has no map`);
      continue;
    }
    const payload = JSON.parse(readFileSync(path, 'utf8'));
    if ([payload.file ?? '', ...payload.sources].some((place) => isAbsolute(place)))
      faults.push(`${name} names a place`);
    const textOf = new Map(
      payload.sources.map((source, index) => [source, payload.sourcesContent?.[index]?.split('\n')]),
    );
    for (const [source, text] of textOf) {
      if (text === undefined && source !== name) faults.push(`${name}: ${source} has no text`);
    }
    const map = new SourceMap(payload);
    for (const [index, line] of code.split('\n').entries()) {
      const sight = sightOf(line);
      if (sight === undefined) continue;
      const { originalSource, originalLine } = map.findEntry(index, line.search(/\S/));
      const original = textOf.get(originalSource)?.[originalLine] ?? '';
      lines += 1;
      if (!original.includes(sight))
        faults.push(`${name}:${index + 1}: ${sight} is not at ${originalSource}:${originalLine}`);
    }
  }
  if (lines < 100) faults.push(`only ${lines} lines were recognised`);
  return { faults, lines };
};
