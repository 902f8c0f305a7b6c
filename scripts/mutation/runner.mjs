// A test runner for Stryker. The specs run in a process of their own, with a spare one kept ready: what a mutant has
// soiled or blocked is thrown away and costs no start.
import { fork } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';
import { BUNDLES, looksAt } from './folders.mjs';

/** Set by `--none`: the runs are those of mutants, and no mutant is active. */
const NO_MUTANT = process.env['RX_MCP_NO_MUTANT'] !== undefined;
/** Where each run is written down as a line of JSON, if anywhere. */
const LOG = process.env['RX_MCP_MUTATION_LOG'];
const WORKER = fileURLToPath(new URL('./worker.mjs', import.meta.url));
/** What a run may take beyond a multiple of its usual time, in ms: a mutant that blocks its process ends there. */
const RUN_MS = 20_000;
const RUN_FACTOR = 12;
/** How long clearing up may take behind a test that has failed, in ms. */
const CLEARING_MS = 1_000;
/** What a file may take in the run without a mutant, in ms. */
const DRY_FILE_MS = 120_000;
/** Even this process forgets some things too late: memory grows with each file that is loaded. */
const RUNS_OF_A_WORKER = 400;

const start = () => {
  const child = fork(WORKER, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
  });
  const ready = new Promise((resolve, reject) => {
    child.once('message', resolve).once('exit', (code) => reject(new Error(`a worker ended with ${code}`)));
  });
  ready.catch(() => undefined);
  return { child, ready, runs: 0, stray: false };
};

/** Ends a worker and, being the leader of a group, whatever its specs have started. */
const end = ({ child }) => {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended; or this system has no groups.
    child.kill();
  }
};

class BundledRunner {
  #worker = undefined;
  #spare = undefined;
  #usualMs = new Map();
  #fileOf = new Map();
  #leaves = new Set();
  #order = [];

  capabilities() {
    return { reloadEnvironment: true };
  }

  init() {
    this.#order = JSON.parse(readFileSync(resolve(BUNDLES, 'specs.json'), 'utf8'));
    this.#worker = start();
    this.#spare = start();
  }

  dispose() {
    end(this.#worker);
    end(this.#spare);
  }

  #replace() {
    end(this.#worker);
    this.#worker = this.#spare;
    this.#spare = start();
  }

  #learn({ tests, leaves }) {
    for (const { id, file, ms } of tests) {
      this.#usualMs.set(id, ms);
      this.#fileOf.set(id, file);
    }
    this.#leaves = new Set(leaves);
  }

  /** Asks the worker. `undefined`: it blocked, or died, and is another one now. */
  async #ask(request, ms) {
    const worker = this.#worker;
    await worker.ready;
    worker.runs += 1;
    const said = await new Promise((resolve) => {
      let clock = setTimeout(resolve, ms);
      const onMessage = (message) => {
        if ('stray' in message) {
          worker.stray = true;
          return;
        }
        if ('fault' in message) {
          clearTimeout(clock);
          clock = setTimeout(resolve, CLEARING_MS, message);
          return;
        }
        clearTimeout(clock);
        worker.child.off('message', onMessage).off('exit', onExit);
        resolve(message);
      };
      const onExit = () => {
        clearTimeout(clock);
        resolve({ died: true });
      };
      worker.child.on('message', onMessage).once('exit', onExit);
      worker.child.send(request);
    });
    const result = said?.result;
    if (result === undefined || !result.clean || worker.stray || worker.runs >= RUNS_OF_A_WORKER) this.#replace();
    if (said?.failure !== undefined) throw new Error(said.failure);
    return said?.died === true || said?.fault !== undefined ? said : result;
  }

  async dryRun() {
    const tests = [];
    const leaves = [];
    const perTest = {};
    for (const file of this.#order) {
      const result = await this.#ask({ files: [{ file }], bail: false }, DRY_FILE_MS);
      if (result?.ran === undefined) return { status: DryRunStatus.Error, errorMessage: `${file} ends its process` };
      const [{ results, failed, leaves: left }] = result.ran;
      if (failed !== null) return { status: DryRunStatus.Error, errorMessage: `${file}: ${failed}` };
      if (left) leaves.push(file);
      const { [`${file}#`]: loading = {}, ...own } = result.coverage;
      // What runs when a file is loaded, or in hooks around its tests, is seen by each of them.
      for (const { id, ms, error } of results) {
        const counts = { ...loading };
        for (const [mutant, hits] of Object.entries(own[id] ?? {})) counts[mutant] = (counts[mutant] ?? 0) + hits;
        perTest[id] = counts;
        tests.push({ id, file, ms, error });
      }
    }
    this.#learn({ tests, leaves });
    writeFileSync(resolve(BUNDLES, 'dry-run.json'), JSON.stringify({ tests, leaves }));
    return {
      status: DryRunStatus.Complete,
      mutantCoverage: { static: {}, perTest },
      tests: tests.map(({ id, file, ms, error }) => ({
        id,
        name: id,
        timeSpentMs: ms,
        fileName: resolve(file),
        ...(error === null ? { status: TestStatus.Success } : { status: TestStatus.Failed, failureMessage: error }),
      })),
    };
  }

  /** The files to run with the tests of each: that of the mutated file first, then the cheap before the dear. */
  #plan(ids, mutated) {
    const byFile = new Map();
    for (const id of ids) {
      const file = this.#fileOf.get(id);
      if (!looksAt(file, mutated)) continue;
      const { only, ms } = byFile.get(file) ?? { only: [], ms: 0 };
      byFile.set(file, { only: [...only, id], ms: ms + this.#usualMs.get(id) });
    }
    const mirror = mutated.replace(/^src/, 'spec').replace(/\.ts$/, '.spec.ts');
    return [...byFile]
      .map(([file, { only, ms }]) => ({ file, only, ms, leaves: this.#leaves.has(file) }))
      .sort((a, b) => Number(b.file === mirror) - Number(a.file === mirror) || a.ms - b.ms)
      .map((one) => ({ ...one, usualMs: Object.fromEntries(one.only.map((id) => [id, this.#usualMs.get(id)])) }));
  }

  async mutantRun(options) {
    const result = await this.#tried(options);
    if (LOG !== undefined) {
      const { fileName, location, mutatorName, replacement } = options.activeMutant;
      const { status, reason, failureMessage, killedBy } = result;
      const where = `${fileName.replace(/^.*src/, 'src')}:${location.start.line + 1}:${location.start.column + 1}`;
      appendFileSync(
        LOG,
        `${JSON.stringify({ where, mutatorName, replacement, status, reason, killedBy, failureMessage })}\n`,
      );
    }
    return result;
  }

  async #tried({ testFilter, activeMutant, sandboxFileName, hitLimit }) {
    // One runner has made the dry run, while the others were started.
    if (this.#fileOf.size === 0) this.#learn(JSON.parse(readFileSync(resolve(BUNDLES, 'dry-run.json'), 'utf8')));
    const mutated = sandboxFileName.slice(resolve('.').length + 1);
    const files = this.#plan(testFilter ?? [...this.#fileOf.keys()], mutated);
    const usual = files.reduce((sum, { ms }) => sum + ms, 0);
    const mutant = NO_MUTANT ? 'none' : activeMutant.id;
    const result = await this.#ask({ files, bail: true, mutant, hitLimit }, RUN_MS + RUN_FACTOR * usual);
    if (result === undefined) return { status: MutantRunStatus.Timeout, reason: 'the process did not come back' };
    if (result.died) return { status: MutantRunStatus.Timeout, reason: 'the process ended' };
    const { hits } = result.fault ?? result;
    if (hitLimit !== undefined && hits > hitLimit)
      return { status: MutantRunStatus.Timeout, reason: 'too many rounds of a loop' };
    if (result.fault !== undefined) {
      const { id, error } = result.fault;
      return { status: MutantRunStatus.Killed, killedBy: [id], failureMessage: error, nrOfTests: 1 };
    }
    const nrOfTests = result.ran.reduce((sum, { results }) => sum + results.length, 0);
    for (const { file, results, failed } of result.ran) {
      const bad = results.find(({ error }) => error !== null);
      if (bad !== undefined)
        return { status: MutantRunStatus.Killed, killedBy: [bad.id], failureMessage: bad.error, nrOfTests };
      if (failed !== null) {
        const killedBy = files.find((one) => one.file === file).only.slice(0, 1);
        return { status: MutantRunStatus.Killed, killedBy, failureMessage: failed, nrOfTests };
      }
    }
    return { status: MutantRunStatus.Survived, nrOfTests };
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'bundled', BundledRunner)];
