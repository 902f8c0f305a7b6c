#!/usr/bin/env node
// Draws a CPU profile, as `npm run bench -- … --profile <dir>` writes it, as a flame graph:
// `node bench/flame-graph.mjs <file.cpuprofile> <file.svg> <title>`. The wider, the more time; callers stand below.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refuse } from '../scripts/support/command-line.mjs';

const WIDTH = 1_200;
const ROW = 17;
const MARGIN = 10;
const HEAD = 56;
const LETTER = 6.1;
/** What is narrower, in pixels, is left out. */
const LEAST = 1;

/** Whose a function is: the name of the group, how its address is known, and the colour. */
const GROUPS = [
  ['RxJS', /node_modules\/rxjs/, '#e78ac3'],
  ['other packages', /node_modules/, '#8da0cb'],
  ['Node', /^node:/, '#a6d854'],
  ['this library', /\/dist\//, '#f6b26b'],
  ['the benchmark', /\/bench\//, '#ffe08a'],
  ['the engine', /^$/, '#cccccc'],
];
const groupOf = (url) => GROUPS.find(([, known]) => known.test(url)) ?? GROUPS.at(-1);

const escaped = (text) => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

/** Frames that are called by the same callers are one. */
const merged = ({ nodes, samples, timeDeltas }) => {
  const own = new Map();
  samples.forEach((id, at) => own.set(id, (own.get(id) ?? 0) + timeDeltas[at]));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const join = (ids, name, url) => {
    const found = ids.map((id) => byId.get(id));
    const groups = new Map();
    for (const child of found.flatMap(({ children = [] }) => children)) {
      const { functionName, url: at } = byId.get(child).callFrame;
      // Waiting, and the profiler's own.
      if (functionName === '(idle)' || at.startsWith('node:inspector')) continue;
      const key = `${functionName} ${at}`;
      groups.set(key, [...(groups.get(key) ?? []), child]);
    }
    const children = [...groups.values()].map((group) => {
      const { functionName, url: at } = byId.get(group[0]).callFrame;
      return join(group, functionName || '(anonymous)', at);
    });
    const self = ids.reduce((sum, id) => sum + (own.get(id) ?? 0), 0);
    return { name, url, children, time: self + children.reduce((sum, { time }) => sum + time, 0) };
  };
  return join([nodes[0].id], 'all', '');
};

/** The rectangles of a frame and what it calls, from the row of its depth upwards. */
const rectangles = (frame, depth, x, scale, whole) => {
  const width = frame.time * scale;
  if (width < LEAST) return [];
  const share = `${((100 * frame.time) / whole).toFixed(1)} %`;
  const where = frame.url === '' ? '' : ` (${basename(frame.url)})`;
  const own = { depth, x, width, name: frame.name, told: `${frame.name}${where}: ${share}`, group: groupOf(frame.url) };
  let at = x;
  const above = frame.children
    .toSorted((a, b) => b.time - a.time)
    .flatMap((child) => {
      const drawn = rectangles(child, depth + 1, at, scale, whole);
      at += child.time * scale;
      return drawn;
    });
  return [own, ...above];
};

/** A profile as an SVG document. */
export const flameGraph = (profile, title) => {
  const root = merged(profile);
  const drawn = rectangles(root, 0, MARGIN, (WIDTH - 2 * MARGIN) / root.time, root.time);
  const deepest = Math.max(...drawn.map(({ depth }) => depth));
  const height = HEAD + (deepest + 1) * ROW + MARGIN;
  const frames = drawn.map(({ depth, x, width, name, told, group: [, , colour] }) => {
    const y = height - MARGIN - (depth + 1) * ROW;
    const room = Math.floor((width - 6) / LETTER);
    const text = room < 3 ? '' : name.length > room ? `${name.slice(0, room - 1)}…` : name;
    const label = text === '' ? '' : `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escaped(text)}</text>`;
    const box = `x="${x.toFixed(1)}" y="${y}" width="${Math.max(width - 0.5, 0.5).toFixed(1)}" height="${ROW - 1}"`;
    return `<g><title>${escaped(told)}</title><rect ${box} rx="1" fill="${colour}"/>${label}</g>`;
  });
  const legend = GROUPS.map(([name, , colour], at) => {
    const x = MARGIN + at * 140;
    return `<rect x="${x}" y="32" width="12" height="12" fill="${colour}"/><text x="${x + 17}" y="42">${name}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="Verdana, sans-serif" font-size="10">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="${MARGIN}" y="20" font-size="14">${escaped(title)}</text>`,
    ...legend,
    ...frames,
    '</svg>\n',
  ].join('\n');
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [from, to, title] = process.argv.slice(2);
  if (title === undefined) refuse('node bench/flame-graph.mjs <file.cpuprofile> <file.svg> <title>');
  writeFileSync(to, flameGraph(JSON.parse(readFileSync(from, 'utf8')), title));
}
