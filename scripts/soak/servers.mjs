// Servers that are started, used once and stopped.
import { census } from '../support/census.mjs';
import { rawServer } from './library.mjs';

const cycle = async ({ ManagedServer, EraCache }, n, ledger) => {
  const era = n % 2 === 0 ? 'modern' : 'legacy';
  const server = ManagedServer.of('soak', rawServer(era), { client: { eraCache: new EraCache() } });
  // Left to end by itself: stop() does not complete it, and nobody may be kept by it.
  const seen = server.status$.subscribe({ error: (reason) => ledger.fault(`status$: ${reason}`) });
  const { status } = await server.start();
  if (status !== 'connected') ledger.fault(`a server is ${status} after its start`);
  const { content } = await server.promises.callTool('echo', { n });
  if (content[0].text !== JSON.stringify({ n })) ledger.fault('a server answered with something else');
  await server.stop();
  seen.unsubscribe();
};

/**
 * How many are started before it is counted. What one of them runs it runs once, so that the engine compiles it late: over
 * the first five hundred its code, and what it notes of that code, grow by a megabyte, and no object does.
 */
const WARM_UP = 500;

/** `count` servers, one after the other, of both eras in turn. */
export const servers = async (library, { count, signal, ledger }) => {
  for (let n = 0; n < Math.min(count, WARM_UP); n += 1) await cycle(library, n, ledger);
  const before = await census(signal);
  for (let n = 0; n < count; n += 1) await cycle(library, n, ledger);
  ledger.compare(`${count} servers started and stopped`, before, await census(signal, before));
};
