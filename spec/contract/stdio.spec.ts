import { fileURLToPath } from 'node:url';
import { filter, firstValueFrom, NEVER } from 'rxjs';
import { ServerGoneError } from '../../src/errors/index.js';
import { stdioConnector, type StdioTransport } from '../../src/transport/stdio/index.js';
import { describeTransportContract } from './transport.contract.js';

const script = fileURLToPath(new URL('../support/children/echo-server.mjs', import.meta.url));

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describeTransportContract('stdio', {
  connector: stdioConnector({ command: process.execPath, args: [script], killGraceMs: 1_000 }),
  death: ServerGoneError,
  arrival: async (transport) => {
    await firstValueFrom((transport.stderr$ ?? NEVER).pipe(filter((line) => line === 'said')));
    await nextTurn();
  },
  deaf: {
    connector: stdioConnector({ command: process.execPath, args: [script, 'deaf'], killGraceMs: 20 }),
    kill: (transport) => process.kill((transport as StdioTransport).pid, 'SIGKILL'),
  },
});
