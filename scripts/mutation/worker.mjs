// Runs spec files, already bundled, in this process: for each request the files it names, each loaded anew, with one
// mutant active or none. The parent (`runner.mjs`) replaces this process when it is no longer clean.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { constants, Script } from 'node:vm';
import { addEventHandler, getState, resetState, run } from 'jest-circus';
import { BUNDLES } from './folders.mjs';
import { leftovers, sweep } from './leftovers.mjs';
import { watched } from './watch.mjs';

/** How long a test may take, in ms: for a machine that is busy, beyond several times what it took without a mutant. */
const TEST_MS = 1_500;
const TEST_FACTOR = 5;
/** Longest wait for what is being closed, in ms, when all tests have passed. */
const PATIENCE_MS = 3_000;
/** How long a hook may take, and in the run without a mutant a test, where it says nothing else: that of `jest.config.ts`. */
const LIMIT_MS = 30_000;

const stryker = (globalThis.__stryker__ ??= {});
const scripts = new Map();

const scriptOf = (file) => {
  let script = scripts.get(file);
  if (script === undefined) {
    const path = resolve(BUNDLES, file.replace(/\.ts$/, '.js'));
    const text = `(function (require, module, exports, __filename, __dirname) {${readFileSync(path, 'utf8')}\n})`;
    script = new Script(text, {
      filename: path,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    }).runInThisContext();
    scripts.set(file, script);
  }
  return script;
};

const testsOf = (block) => block.children.flatMap((one) => (one.type === 'test' ? [one] : testsOf(one)));

const nameOf = (test) => {
  const names = [test.name];
  for (let block = test.parent; block?.parent !== undefined; block = block.parent) names.unshift(block.name);
  return names.join(' ');
};

/** Gives every test its id: the file, its names, and a number when they are not the only ones of that kind. */
const identify = (file, tests) => {
  const seen = new Map();
  for (const test of tests) {
    const id = `${file}#${nameOf(test)}`;
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    test.mutationId = count === 1 ? id : `${id} (${count})`;
  }
};

const textOf = (errors) => errors.map((error) => String(error?.stack ?? error?.message ?? error)).join('\n');

/** What is going on, for the one event handler. */
let current = { results: [], bail: false, file: '', usualMs: undefined };

addEventHandler((event, state) => {
  if (event.name === 'test_start') {
    stryker.currentTestId = event.test.mutationId;
  } else if (event.name === 'test_fn_failure' && current.bail) {
    // Said at once: what clears up behind a test that failed may take its time, or block.
    process.send({ fault: { id: event.test.mutationId, error: textOf([event.error]), hits: stryker.hitCount } });
  } else if (event.name === 'test_done') {
    stryker.currentTestId = `${current.file}#`;
    const { test } = event;
    // Its errors are pairs: what was thrown, and where from.
    const errors = test.errors.map((error) => (Array.isArray(error) ? (error[0] ?? error[1]) : error));
    current.results.push({
      id: test.mutationId,
      ms: test.duration ?? 0,
      error: errors.length > 0 ? textOf(errors) : null,
    });
    if (errors.length > 0 && current.bail) for (const one of testsOf(state.rootDescribeBlock)) one.mode = 'skip';
  }
});

/** Loads a file and runs those of its tests that are named, or all. */
const runFile = async ({ file, only, usualMs }, bail) => {
  resetState();
  const state = getState();
  state.testTimeout = LIMIT_MS;
  current = { results: [], bail, file };
  stryker.currentTestId = `${file}#`;
  const module = { exports: {} };
  const path = resolve(file);
  const parts = (globalThis.__rxMcpParts__ = []);
  try {
    scriptOf(file)(createRequire(path), module, module.exports, path, resolve(file, '..'));
    // One that is loaded may have parts of its own.
    for (const part of parts) await part.load();
  } catch (error) {
    return { file, results: [], failed: `the file does not load: ${textOf([error])}` };
  }
  const tests = testsOf(state.rootDescribeBlock);
  identify(file, tests);
  const wanted = only === undefined ? undefined : new Set(only);
  for (const test of tests) {
    if (wanted !== undefined && !wanted.has(test.mutationId)) test.mode = 'skip';
    const usual = usualMs?.[test.mutationId];
    test.timeout = usual === undefined ? test.timeout : TEST_MS + TEST_FACTOR * usual;
    if (usual !== undefined) test.fn = watched(test.fn);
  }
  const { unhandledErrors } = await run();
  return { file, results: current.results, failed: unhandledErrors.length > 0 ? textOf(unhandledErrors) : null };
};

/** What was thrown, or rejected, while no test was there to fail. */
const strays = [];

const answer = async ({ files, bail, mutant, hitLimit }) => {
  stryker.activeMutant = mutant;
  // Processes that specs start with the sources read it from there.
  if (mutant === undefined) delete process.env['__STRYKER_ACTIVE_MUTANT__'];
  else process.env['__STRYKER_ACTIVE_MUTANT__'] = mutant;
  stryker.hitCount = hitLimit === undefined ? undefined : 0;
  stryker.hitLimit = hitLimit;
  stryker.mutantCoverage = mutant === undefined ? { static: {}, perTest: {} } : undefined;
  strays.length = 0;
  const ran = [];
  let left = [];
  for (const one of files) {
    const outcome = await runFile(one, bail);
    const failed = outcome.failed !== null || outcome.results.some(({ error }) => error !== null);
    left = await leftovers(failed ? 0 : PATIENCE_MS);
    if (left.length > 0 && !failed && one.leaves !== true) outcome.failed = `left behind: ${left.join(', ')}`;
    // What rxjs has caught for nobody comes in a turn of its own, when the test has ended.
    if (strays.length > 0) outcome.failed ??= `nobody caught: ${strays.join('\n')}`;
    outcome.leaves = left.length > 0;
    sweep();
    ran.push(outcome);
    if (outcome.failed !== null && bail) break;
    if (failed && bail) break;
  }
  return {
    ran,
    clean: left.length === 0,
    hits: stryker.hitCount,
    coverage: stryker.mutantCoverage?.perTest,
  };
};

process.on('message', (request) => {
  void answer(request).then(
    (result) => process.send({ result }),
    (error) => process.send({ failure: textOf([error]) }),
  );
});
const onStray = (error) => {
  strays.push(textOf([error]));
  // The parent takes another process.
  process.send({ stray: true });
};
process.on('uncaughtException', onStray).on('unhandledRejection', onStray);
process.on('disconnect', () => process.exit());
sweep();
process.send({ ready: true });
