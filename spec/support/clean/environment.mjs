// The environment of every spec file: Node's, which fails a file that leaves its process in another state than it found it.
//
// Jest fails a test during which something is thrown, or rejected, that nobody catches. This one looks at what is left when
// the tests of a file and their hooks are done: child processes that live, handles that would keep the process alive, and
// what is thrown or rejected before the first test and behind the last.
import { AsyncLocalStorage } from 'node:async_hooks';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { TestEnvironment } from 'jest-environment-node';

/** How long what is being closed may take, in ms, where the option `patienceMs` says nothing else. A clean file does not wait at all. */
const PATIENCE_MS = 5_000;
const LOOK_MS = 20;
const MANY_TIMERS = 1_000;
const TURNS = 3;

/** Kinds of resources that are work of Jest's own, or come and go by themselves. */
const IGNORED = new Set([
  'FSReqCallback',
  'FSReqPromise',
  'Immediate',
  'TickObject',
  'TTYWrap',
  'CloseReq',
  'WORKER',
  'MESSAGEPORT',
  // Counted one by one below: those that were there before may have ended.
  'Timeout',
  'MessagePort',
]);

const counted = (names) => {
  const counts = new Map();
  for (const name of names) if (!IGNORED.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

/** The child processes that this one has and that live, by id, with their command lines. */
const children = () => {
  const found = new Map();
  try {
    for (const task of readdirSync('/proc/self/task')) {
      for (const pid of readFileSync(`/proc/self/task/${task}/children`, 'latin1').split(' ').filter(Boolean)) {
        try {
          const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
          if (/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))) continue;
          found.set(pid, readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim());
        } catch {
          // It has just ended.
        }
      }
    }
  } catch {
    // Only Linux tells.
  }
  return found;
};

/** The rejections that Jest holds against a test or the file, and has not told yet. */
const pending = (state) => {
  const testsOf = ({ children: parts, type, ...part }) =>
    type === 'test' ? [part] : (parts ?? []).flatMap((one) => testsOf(one));
  const owned = testsOf(state.rootDescribeBlock).map((test) => test.unhandledRejectionErrorByPromise);
  const all = [state.unhandledRejectionErrorByPromise, ...owned];
  return all.flatMap((byPromise) => [...(byPromise?.values() ?? [])]);
};

/**
 * What was used of these since the last file. Jest makes one for each, which Node does not forget: each Promise of all later
 * files in the same process would be marked for all of them, and loading a file would cost twice as much before long.
 */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  storages.add(this);
  return run.apply(this, args);
};

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const turn = () => new Promise((resolve) => setImmediate(resolve));

export default class CleanEnvironment extends TestEnvironment {
  #before = { handles: counted([]), children: new Map() };
  #uncaught = [];
  #note = (reason) => {
    this.#uncaught.push(reason);
  };

  #timers = new Set();
  #patienceMs;

  constructor(config, context) {
    super(config, context);
    this.#patienceMs = config.projectConfig.testEnvironmentOptions.patienceMs ?? PATIENCE_MS;
  }

  async setup() {
    await super.setup();
    this.#watchTimers();
    // Made on first use, each with a handle of its own.
    void process.stdout.writable;
    void process.stderr.writable;
    void process.stdin.readable;
    process.on('uncaughtException', this.#note).on('unhandledRejection', this.#note);
    this.#before = { handles: counted(process.getActiveResourcesInfo()), children: children() };
  }

  /** Keeps in mind which timers are set in the specs, and in what they load. */
  #watchTimers() {
    for (const name of ['setTimeout', 'setInterval']) {
      const set = this.global[name];
      const watched = (...args) => {
        const timer = set(...args);
        this.#timers.add(timer);
        if (this.#timers.size > MANY_TIMERS) this.#forgetTimers();
        return timer;
      };
      this.global[name] = Object.assign(watched, set);
      Object.defineProperty(watched, promisify.custom, { value: set[promisify.custom] });
    }
  }

  #forgetTimers() {
    for (const timer of this.#timers) if (timer._destroyed || !timer.hasRef()) this.#timers.delete(timer);
  }

  async teardown() {
    process.off('uncaughtException', this.#note).off('unhandledRejection', this.#note);
    await super.teardown();
    for (const storage of storages) storage.disable();
    storages.clear();
  }

  /** Called by Jest with what happens in a run; what is put into `unhandledErrors` fails the file. */
  async handleTestEvent(event, state) {
    if (event.name !== 'run_finish') return;
    for (let n = 0; n < TURNS; n += 1) await turn();
    const end = performance.now() + this.#patienceMs;
    let left = this.#left();
    while (left.length > 0 && performance.now() < end) {
      await pause(LOOK_MS);
      left = this.#left();
    }
    // Jest keeps those in mind that somebody may yet catch. Now nobody does.
    const kept = pending(state);
    for (const reason of [...this.#uncaught, ...kept])
      state.unhandledErrors.push(new Error(`nobody caught: ${String(reason?.stack ?? reason)}`));
    if (left.length > 0)
      state.unhandledErrors.push(new Error(`the specs of this file left behind: ${left.join('; ')}`));
  }

  #left() {
    const left = [];
    for (const [pid, command] of children()) {
      if (!this.#before.children.has(pid)) left.push(`the child process ${pid} (${command})`);
    }
    for (const [name, count] of counted(process.getActiveResourcesInfo())) {
      const more = count - (this.#before.handles.get(name) ?? 0);
      if (more > 0) left.push(`${more} ${name}`);
    }
    this.#forgetTimers();
    if (this.#timers.size > 0) left.push(`${this.#timers.size} timers`);
    return left;
  }
}
