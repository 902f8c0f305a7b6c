// What is printed and kept of a run: the score of each file, and every mutant that lives.
import { readFileSync } from 'node:fs';

const CAUGHT = new Set(['Killed', 'Timeout']);
const ALIVE = new Set(['Survived', 'NoCoverage']);

const percent = (caught, alive) => (caught + alive === 0 ? '-' : ((100 * caught) / (caught + alive)).toFixed(1));

const count = (mutants, statuses) => mutants.filter(({ status }) => statuses.has(status)).length;

const row = (name, mutants) => {
  const [caught, alive] = [count(mutants, CAUGHT), count(mutants, ALIVE)];
  return `${percent(caught, alive).padStart(6)} %  ${String(caught).padStart(5)} caught  ${String(alive).padStart(4)} alive  ${name}\n`;
};

/** The text of a mutant as it stood in the source. */
const original = (lines, { start, end }) =>
  start.line === end.line
    ? lines[start.line - 1].slice(start.column - 1, end.column - 1)
    : `${lines[start.line - 1].slice(start.column - 1)} …`;

const oneLine = (text) => text.replace(/\s+/g, ' ').slice(0, 120);

/** The results of Stryker as two texts: the table that is printed, and the list of the mutants that live. */
export const summary = (results, seconds) => {
  const byFile = Map.groupBy?.(results, ({ fileName }) => fileName) ?? new Map();
  if (byFile.size === 0)
    for (const one of results) byFile.set(one.fileName, [...(byFile.get(one.fileName) ?? []), one]);
  const files = [...byFile].map(([path, mutants]) => ({ name: path.slice(path.indexOf('src/')), path, mutants }));
  files.sort((a, b) => count(b.mutants, ALIVE) - count(a.mutants, ALIVE));
  const odd = results.filter(({ status }) => !CAUGHT.has(status) && !ALIVE.has(status));
  let table = files.map(({ name, mutants }) => row(name, mutants)).join('');
  table += row(`all, in ${seconds} s; ${odd.length} not counted`, results);
  let survivors = `${table}\n`;
  for (const { name, path, mutants } of files) {
    const lines = readFileSync(path, 'utf8').split('\n');
    for (const { location, mutatorName, replacement, status } of mutants) {
      if (CAUGHT.has(status)) continue;
      const from = oneLine(original(lines, location));
      survivors += `${name}:${location.start.line}:${location.start.column} ${status} ${mutatorName}: ${from} -> ${oneLine(replacement ?? '')}\n`;
    }
  }
  return { table, survivors };
};
