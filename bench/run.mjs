#!/usr/bin/env node
// Measures the built package beside its peers: `npm run bench -- --help`. How it is done: docs/performance.md.
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { attempt, refuse } from '../scripts/support/command-line.mjs';
import { clients } from './clients/index.mjs';
import { figures } from './figures.mjs';
import { rows } from './scenarios/index.mjs';
import { chosen, readArguments, usage } from './support/arguments.mjs';
import { takeRounds } from './support/rounds.mjs';
import { endSamples } from './support/sample-process.mjs';
import { sample } from './support/sampler.mjs';
import { summarise } from './support/statistics.mjs';
import { figureTable, resultTable } from './support/table.mjs';
import { cellsOf, outcomeOf, verdicts } from './support/verdicts.mjs';

/** What a figure may be missed by in a short run. */
const SLACK = 0.2;

const known = { clients: Object.keys(clients), rows: rows.map(({ name }) => name) };
const settings = attempt(() => readArguments(process.argv.slice(2), known), `\n\n${usage}`);
if (settings.help) {
  console.log(usage);
  process.exit(0);
}
const needed = figures.flatMap(cellsOf);
const isNeeded = (row, client) =>
  client.startsWith('rx-mcp') || needed.some((cell) => cell.row === row.name && cell.client === client);
const plan = chosen(rows, settings, settings.figures ? needed : undefined).map((row) => ({
  ...row,
  // Peers that no figure is about are there to be looked at. They take most of the time.
  seldom: settings.clients === undefined ? row.clients.filter((client) => !isNeeded(row, client)) : [],
}));
if (plan.length === 0) {
  const none = settings.figures
    ? 'no figure is about the rows and clients that are named'
    : 'no row that is named has a client that is';
  refuse(`there is nothing to measure: ${none}`);
}
const isPlanned = ({ row, client }) => plan.some(({ name, clients: own }) => name === row && own.includes(client));
if (settings.check && !figures.some((figure) => cellsOf(figure).every(isPlanned))) {
  refuse('there is nothing to check: no figure is about the rows and clients that are named, and nothing else');
}
if (settings.list) {
  for (const row of plan) console.log(`${row.name}: ${row.title} (${row.clients.join(', ')})`);
  process.exit(0);
}
if (!existsSync(fileURLToPath(new URL('../dist/index.js', import.meta.url)))) {
  refuse('the package is not built: run `npm run build` first');
}
attempt(() => {
  if (settings.profile !== undefined) mkdirSync(settings.profile, { recursive: true });
  // Better known now than in twenty minutes.
  if (settings.json !== undefined) appendFileSync(settings.json, '');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    endSamples();
    process.kill(process.pid, signal);
  });
}

const began = performance.now();
const samples = await takeRounds(plan, settings, sample, (text) => console.error(text));

const cell = (row, client) => {
  const own = samples.get(`${row} ${client}`);
  if (own === undefined) return undefined;
  const isSeldom = plan.some(({ name, seldom }) => name === row && seldom.includes(client));
  const turns = isSeldom ? 1 : settings.rounds;
  return summarise(own, Math.ceil(turns / 2));
};
const judged = verdicts(figures, cell, settings.check ? SLACK : 0).filter(({ verdict }) => verdict !== '-');
const all = [...samples.values()].flat();
const minutes = ((performance.now() - began) / 60_000).toFixed(1);
console.log(
  `\nNode ${process.version}, ${all.length} samples in ${minutes} minutes, at most ${settings.rounds} rounds;`,
);
console.log(`${all.filter(({ busy }) => busy).length} were taken while other processes were busy.\n`);
if (judged.length > 0) console.log(`${figureTable(judged)}\n`);
console.log(
  'In brackets: how often the yardstick; in square ones: how many samples count, and their median distance from the median.\n',
);
console.log(resultTable(plan, cell, (client) => clients[client].title));

if (settings.json !== undefined) {
  writeFileSync(settings.json, `${JSON.stringify(Object.fromEntries(samples), undefined, 1)}\n`);
}
if (settings.check) {
  const { text, code } = outcomeOf(judged, settings.known);
  console.log(`\n${text}`);
  process.exitCode = code;
}
