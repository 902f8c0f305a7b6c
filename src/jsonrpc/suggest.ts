/** How many letters must be added, left out, replaced or swapped with their neighbour to come from one word to the other. */
const distance = (a: string, b: string): number => {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
};

const MOST = 3;
/** Longer words are not compared letter by letter: the cost grows with the square of their length. */
const LONGEST = 100;

const simple = (name: string): string => name.toLowerCase().replace(/[\s_.-]+/g, '-');

/** The names that were most likely meant by one that does not exist, the likeliest first, three at most. */
export const nearNames = (wanted: string, names: readonly string[]): readonly string[] => {
  const word = simple(wanted.slice(0, LONGEST));
  return names
    .map((name) => {
      const other = simple(name.slice(0, LONGEST));
      const inside = word.length >= 3 && (other.includes(word) || word.includes(other));
      return { name, far: distance(word, other) - (inside ? 100 : 0) };
    })
    .filter(({ far }) => far <= Math.max(1, Math.floor(word.length / 3)) && far < word.length)
    .sort((a, b) => a.far - b.far)
    .slice(0, MOST)
    .map(({ name }) => name);
};

/** The end of a sentence that says that there is no such name: what was meant, or what there is. */
export const instead = (wanted: string, names: readonly string[]): string => {
  const near = nearNames(wanted, names);
  const quoted = (list: readonly string[]): string => list.map((name) => JSON.stringify(name)).join(', ');
  if (near.length > 0) return `; did you mean ${quoted(near)}?`;
  if (names.length === 0) return '; there are none';
  const some = names.slice(0, 10);
  return `; there ${names.length === 1 ? 'is' : 'are'} ${quoted(some)}${names.length > some.length ? ', …' : ''}`;
};
