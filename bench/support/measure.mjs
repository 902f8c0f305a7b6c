// What a sample measures, in the process of the sample.
import { writeFileSync } from 'node:fs';

/** The environment variable that names the file for a CPU profile of what is measured. */
export const PROFILE = 'RX_MCP_PROFILE';

/** Does the work while the profiler looks on. */
const profiled = async (work, file) => {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  writeFileSync(file, JSON.stringify(profile));
};

/** Makes `count` calls, `inFlight` of them at a time; `call` is given the number of each. */
export const drive = async (call, count, inFlight) => {
  let next = 0;
  const lane = async () => {
    while (next < count) await call(next++);
  };
  await Promise.all(Array.from({ length: Math.min(inFlight, count) }, lane));
};

/** CPU of this process and wall time of `work`, for each of `operations`, in units of `unit` µs. */
export const costOf = async (work, operations, unit = 1) => {
  const cpu = process.cpuUsage();
  const began = performance.now();
  const file = process.env[PROFILE];
  await (file === undefined ? work() : profiled(work, file));
  const wall = (performance.now() - began) * 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return { value: (user + system) / operations / unit, wall: wall / operations / unit };
};

const turn = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Bytes on the heap after collections with turns of the loop between them. Needs `--expose-gc`. */
export const heap = async () => {
  for (let i = 0; i < 3; i += 1) {
    globalThis.gc();
    await turn();
  }
  return process.memoryUsage().heapUsed;
};
