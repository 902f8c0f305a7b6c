import { beforeEach } from '@jest/globals';
import { HttpError, NetworkError } from '../../src/errors/index.js';
import { eachLifeElsewhere } from '../support/http/each-life.js';
import { echoOverPosts } from '../support/http/echo-http.js';
import { type Loopback, serve } from '../support/http/loopback.js';
import { sending } from './reader.js';
import { describeTransportContract } from './transport.contract.js';

let server: Loopback;
let deaf: Loopback;

beforeEach(async () => {
  server = await serve(echoOverPosts({ sessions: true }));
  deaf = await serve(() => undefined);
});

describeTransportContract('legacy HTTP', {
  connector: eachLifeElsewhere(() => server, 'legacy'),
  // What dies is the session; the wires are one for each message.
  death: HttpError,
  wires: { lost: NetworkError },
  prepare: (transport) =>
    sending(transport, {
      jsonrpc: '2.0',
      id: 'harness:initialize',
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'spec', version: '1' } },
    }).end,
  deaf: {
    connector: eachLifeElsewhere(() => deaf, 'legacy'),
    kill: async () => {
      await deaf.until(() => deaf.received.length === 3);
      deaf.cut();
    },
  },
});
