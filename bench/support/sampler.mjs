import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foreignShare, reading } from './machine.mjs';
import { PROFILE } from './measure.mjs';

const entry = fileURLToPath(new URL('../sample.mjs', import.meta.url));

/** How long one sample may take, in ms. */
const LIMIT_MS = 180_000;

/** A sample is left out where others took more than this share of one processor while it was taken. */
const BUSY_SHARE = 0.1;

const run = (row, client, { short, profile }) =>
  new Promise((resolve) => {
    const file =
      profile === undefined ? undefined : join(profile, `${row.name}-${client}.cpuprofile`.replaceAll('/', '-'));
    const words = [...(row.nodeFlags ?? []), entry, row.name, client, ...(short ? ['--short'] : [])];
    const child = spawn(process.execPath, words, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: file === undefined ? process.env : { ...process.env, [PROFILE]: file },
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
