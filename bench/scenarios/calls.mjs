// Calls of a tool that says its text again, over stdio and in memory, so many of them in flight.
import { clientNamed, clients } from '../clients/index.mjs';
import { costOf, drive } from '../support/measure.mjs';
import { eraOf, eras, without } from '../support/eras.mjs';

/** Every client that can call a tool over stdio or in memory. */
export const callers = ['rx-mcp', 'floor', 'floor-rxjs', 'full-floor', 'official-2', 'official-1', 'ai-sdk'];

const counts = {
  oneAtATime: { whole: 20_000, short: 10_000, smoke: 10 },
  many: { whole: 40_960, short: 20_480, smoke: 100 },
  // With thousands in flight it takes that long until the collector has settled.
  settled: { whole: 204_800, short: 102_400, smoke: 100 },
};

/** The row of 64 takes as many as that of 4 096, which is held against it. */
const SETTLED = [64, 4_096];

/** How many calls make a sample. Peers, which take hundreds of µs each with thousands in flight, have fewer. */
export const countsOf = (kind, inFlight, client) => {
  if (kind === 'memory') return counts.many;
  if (inFlight === 1) return counts.oneAtATime;
  return SETTLED.includes(inFlight) && !clients[client].peer ? counts.settled : counts.many;
};

const run = async (client, wire, inFlight, count) => {
  const { open } = await clientNamed(client);
  const opened = await open(wire);
  const text = 'The quick brown fox jumps over the lazy dog.';
  const call = async (n) => {
    const result = await opened.call('echo', { text, n });
    if (result.content[0].text !== text) throw new Error(`call ${n} was answered with ${JSON.stringify(result)}`);
  };
  // Long enough for the compilers to have done with what is called here.
  await drive(call, Math.min(count / 2, 20_480), inFlight);
  const cost = await costOf(() => drive(call, count, inFlight), count);
  await opened.close();
  return cost;
};

const rowOf = (kind, inFlight, era) => ({
  name: `${kind}/${inFlight}/${era}`,
  title: `${kind === 'stdio' ? 'stdio' : 'in memory'}, ${inFlight === 1 ? 'one at a time' : `${inFlight} in flight`}, ${eraOf(era)}`,
  unit: 'µs a call',
  yardstick: kind === 'stdio' && inFlight === 1 ? 'floor' : 'full-floor',
  clients: without(era, [...callers, ...(inFlight === 1 || inFlight === 64 ? ['rx-mcp-observable'] : [])]),
  run: (client, { work }) => run(client, { kind, era }, inFlight, countsOf(kind, inFlight, client)[work]),
});

export const calls = [
  ...[1, 16, 64, 256, 4_096].flatMap((inFlight) => eras.map((era) => rowOf('stdio', inFlight, era))),
  ...[1, 64].flatMap((inFlight) => eras.map((era) => rowOf('memory', inFlight, era))),
];
