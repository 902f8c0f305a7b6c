// One supervised server, killed in the middle of a call again and again.
import { filter, firstValueFrom } from 'rxjs';
import { census } from '../support/census.mjs';
import { rawServer } from './library.mjs';

const kill = async ({ OutcomeUnknownError }, server, n, ledger) => {
  const { pid: holdIn } = server;
  const { restarts } = await firstValueFrom(server.status$);
  const held = firstValueFrom(server.client.stderr$.pipe(filter((line) => line === 'held')));
  // The tool may run twice: the next life is asked the same where that is known already, and else it is told that it is not.
  const answer = server.promises.callTool('echo', { n, holdIn }).then(
    ({ content }) => content[0].text === JSON.stringify({ n, holdIn }),
    (error) => error instanceof OutcomeUnknownError,
  );
  await held;
  process.kill(holdIn, 'SIGKILL');
  if (!(await answer)) ledger.fault('a call that was killed ended in another way');
  // A new life answers calls before the supervisor is done with its start.
  await firstValueFrom(
    server.status$.pipe(filter((state) => state.status === 'connected' && state.restarts > restarts)),
  );
};

/** `count` times `kill -9`. */
export const kills = async (library, { count, signal, ledger }) => {
  const { ManagedServer, EraCache } = library;
  const server = ManagedServer.of('soak', rawServer('modern'), {
    restartWindowMs: 1,
    restartDelayMs: 1,
    client: { eraCache: new EraCache() },
  });
  // What Node opens with the first child of all, it keeps.
  const first = ManagedServer.of('first', rawServer('modern'));
  await first.start();
  await first.stop();
  const idle = await census(signal);
  await server.start();
  for (let n = 0; n < Math.min(count, 20); n += 1) await kill(library, server, n, ledger);
  const before = await census(signal);
  for (let n = 0; n < count; n += 1) await kill(library, server, n, ledger);
  ledger.compare(`${count} kill -9`, before, await census(signal, before));
  await server.stop();
  const { counts } = await census(signal, idle);
  ledger.compare('killed, then stopped', { ...idle, heap: before.heap }, { heap: before.heap, counts });
};
