// A sample as a process: started, waited for, ended with all it started, and what it says.
import { spawn } from 'node:child_process';
import { processes } from '../../scripts/support/processes.mjs';

/** How long what a sample said may take to be read once it has ended, in ms: a server that outlives it holds its pipes open. */
const DRAIN_MS = 1_000;

const LENGTH = 200;

/** What a process that fell says was wrong: the line of the error, in what Node writes around it. */
export const reasonIn = (stderr) => {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^Node\.js v/.test(line));
  return (lines.findLast((line) => /^\w*Error\b.*:/.test(line)) ?? lines.at(-1) ?? '').trim();
};

/** What the last line of a sample says, or `{ error }` where it is no result. `how` is how the process ended. */
export const resultIn = (stdout, stderr, how) => {
  try {
    const result = JSON.parse(stdout.trim().split('\n').at(-1));
    if (typeof result?.error === 'string' || Number.isFinite(result?.value)) return result;
  } catch {
    // It fell before it could say anything.
  }
  const reason = reasonIn(stderr);
  return { error: `${how} without a result${reason === '' ? '' : `: ${reason}`}`.slice(0, LENGTH) };
};

/** A process and what it started, and so on; servers may have groups of their own. */
const familyOf = (pid) => {
  const all = processes() ?? [];
  const below = (parent) => all.filter((one) => one.parent === parent).flatMap((one) => [one.pid, ...below(one.pid)]);
  return [pid, ...below(pid)];
};

const endFamily = (pid) => {
  for (const one of familyOf(pid)) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
};

const running = new Set();

/** Ends every sample that runs, with all it started. */
export const endSamples = () => {
  for (const pid of running) endFamily(pid);
};

/** Runs Node with `words`, for at most `limitMs`, and resolves to the result it prints, or to `{ error }`. */
export const resultOf = (words, { limitMs, env = process.env }) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'], env });
    running.add(child.pid);
    let out = '';
    let err = '';
    let late = false;
    let drain;
    const limit = setTimeout(() => {
      late = true;
      endFamily(child.pid);
    }, limitMs);
    const done = () => {
      clearTimeout(drain);
      child.stdout.destroy();
      child.stderr.destroy();
      const how = late ? `not done after ${limitMs / 1_000} s` : `ended with ${child.signalCode ?? child.exitCode}`;
      resolve(resultIn(out, err, how));
    };
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err = (err + chunk).slice(-4_000)));
    child.once('exit', () => {
      clearTimeout(limit);
      running.delete(child.pid);
      drain = setTimeout(done, DRAIN_MS);
    });
    child.once('close', done);
  });
