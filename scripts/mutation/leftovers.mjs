// What specs leave in the process when they have ended: looked for, and cleared away.

const LOOK_MS = 5;
const TURNS = 2;
const IGNORED = new Set(['FSReqCallback', 'FSReqPromise', 'Immediate', 'TickObject', 'TTYWrap', 'CloseReq', 'Timeout']);

const { setTimeout: later, setInterval: repeat, clearTimeout: forget, setImmediate: soon } = globalThis;
const timers = new Set();

for (const [name, set] of [
  ['setTimeout', later],
  ['setInterval', repeat],
]) {
  const tracked = (...args) => {
    const timer = set(...args);
    timers.add(timer);
    return timer;
  };
  globalThis[name] = Object.defineProperties(tracked, Object.getOwnPropertyDescriptors(set));
}

const counted = () => {
  const counts = new Map();
  for (const name of process.getActiveResourcesInfo()) {
    if (!IGNORED.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
};

let before = counted();

/** Takes what is there now for what belongs to the process. */
export const begin = () => {
  before = counted();
};

/** The resources beyond those that belong to the process: by name, as often as they are there. */
export const resources = () => {
  const found = [];
  for (const [name, count] of counted()) {
    for (let n = before.get(name) ?? 0; n < count; n += 1) found.push(name);
  }
  return found;
};

/** The timers that are set and would keep a process alive. */
export const liveTimers = () => {
  for (const timer of timers) if (timer._destroyed || !timer.hasRef()) timers.delete(timer);
  return [...timers].map(() => 'Timeout');
};

const pause = (ms) => new Promise((resolve) => later(resolve, ms));
const turn = () => new Promise((resolve) => soon(resolve));

/** What is left after at most `patienceMs`: handles and timers that would keep a process alive. */
export const leftovers = async (patienceMs) => {
  for (let n = 0; n < TURNS; n += 1) await turn();
  const look = () => (patienceMs > 0 ? [...resources(), ...liveTimers()] : resources());
  const end = performance.now() + patienceMs;
  let left = look();
  while (left.length > 0 && performance.now() < end) {
    await pause(LOOK_MS);
    left = look();
  }
  return left;
};

const listeners = new Map();
const keysOfGlobal = new Set(Reflect.ownKeys(globalThis));
let known = false;

/** Forgets timers, listeners to the process and global names that were not there when it was first called. */
export const sweep = () => {
  for (const timer of timers) forget(timer);
  timers.clear();
  if (!known) {
    known = true;
    for (const name of process.eventNames()) listeners.set(name, process.rawListeners(name));
    for (const key of Reflect.ownKeys(globalThis)) keysOfGlobal.add(key);
    begin();
    return;
  }
  for (const name of process.eventNames()) {
    const own = listeners.get(name) ?? [];
    for (const listener of process.rawListeners(name)) if (!own.includes(listener)) process.off(name, listener);
  }
  for (const key of Reflect.ownKeys(globalThis)) if (!keysOfGlobal.has(key)) Reflect.deleteProperty(globalThis, key);
};
