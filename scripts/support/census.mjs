// Counts what a process holds on to, so that two moments can be compared.
import { getEventListeners } from 'node:events';
import { ownChildren, ownDescriptors } from './processes.mjs';

const tick = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const listenersOn = (emitter) => emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0);

const tally = (names) => {
  const counts = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
};

/** Emitters that the event loop keeps alive: sockets, pipes, child processes. Undocumented, so it may be missing. */
const openEmitters = () =>
  (process._getActiveHandles?.() ?? []).filter((handle) => typeof handle?.eventNames === 'function');

const READINGS = 6;

/**
 * The heap in bytes, after two forced collections with a turn of the loop between them for finalizers. The lowest of some
 * readings: pages that are not swept yet count as full, some hundred KiB of them, and no reading is lower than what is held.
 */
const heapNow = async () => {
  for (let i = 0; i < 2; i += 1) {
    globalThis.gc();
    await tick(10);
  }
  let lowest;
  for (let i = 0; i < READINGS; i += 1) {
    globalThis.gc();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    if (lowest === undefined || heapUsed < lowest.heapUsed) lowest = { heapUsed, external, arrayBuffers };
    await tick(10);
  }
  return lowest;
};

// Where they are pipes, each is a handle from its first use on: not one of those that are looked for.
const streams = [process.stdout, process.stderr];

const counts = (signal) => {
  const descriptors = ownDescriptors();
  return {
    'active resources': tally(process.getActiveResourcesInfo()) || 'none',
    'listeners on process': listenersOn(process),
    'listeners on open handles': openEmitters().reduce((sum, emitter) => sum + listenersOn(emitter), 0),
    'listeners on stdout and stderr': streams.reduce((sum, stream) => sum + listenersOn(stream), 0),
    'listeners on the shared signal': getEventListeners(signal, 'abort').length,
    'child processes': ownChildren()?.length ?? 'not checked',
    'open descriptors': descriptors?.length ?? 'not checked',
  };
};

/**
 * Takes stock. What the kernel and the event loop still have to finish (a pipe closes a turn later than its process)
 * gets two seconds: the counts are read again until they equal those of `expected`, or that time is over.
 */
export const census = async (signal, expected) => {
  const deadline = performance.now() + 2_000;
  let now;
  do {
    await tick(20);
    now = counts(signal);
  } while (
    expected !== undefined &&
    JSON.stringify(now) !== JSON.stringify(expected.counts) &&
    performance.now() < deadline
  );
  return { heap: await heapNow(), counts: now };
};
