// What a sample measures, in the process of the sample.

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
  await work();
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
