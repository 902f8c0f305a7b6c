import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { foreignShare, reading } from './machine.mjs';

const entry = fileURLToPath(new URL('../sample.mjs', import.meta.url));

/** How long one sample may take, in ms. */
const LIMIT_MS = 180_000;

/** A sample is left out where others took more than this share of one processor while it was taken. */
const BUSY_SHARE = 0.1;

const run = (row, client, { short, profile }) =>
  new Promise((resolve) => {
    const flags = [
      ...(row.nodeFlags ?? []),
      ...(profile === undefined
        ? []
        : [
            '--cpu-prof',
            `--cpu-prof-dir=${profile}`,
            `--cpu-prof-name=${row.name}-${client}.cpuprofile`.replaceAll('/', '-'),
          ]),
    ];
    const child = spawn(process.execPath, [...flags, entry, row.name, client, ...(short ? ['--short'] : [])], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, LIMIT_MS);
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err = (err + chunk).slice(-4_000)));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const last = out.trim().split('\n').at(-1);
      try {
        resolve(JSON.parse(last));
      } catch {
        const why = late ? `not done after ${LIMIT_MS / 1_000} s` : `ended with ${signal ?? code}`;
        resolve({ error: `${why}: ${err.trim().split('\n').at(-1) ?? ''}`.slice(0, 200) });
      }
    });
  });

/** Takes one sample of one row with one client, in a process of its own: `{ value, wall?, note? }` or `{ error }`. */
export const sample = async (row, client, settings) => {
  const before = reading();
  const began = performance.now();
  const result = await run(row, client, settings);
  const foreign = foreignShare(before, reading());
  return { ...result, ms: performance.now() - began, foreign, busy: foreign > BUSY_SHARE };
};
