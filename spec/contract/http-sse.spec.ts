import { beforeEach } from '@jest/globals';
import { NetworkError } from '../../src/errors/index.js';
import { eachLifeElsewhere } from '../support/http/each-life.js';
import { echoOverSse } from '../support/http/echo-http.js';
import { event, type Loopback, serve, stream } from '../support/http/loopback.js';
import { nextTurn } from '../support/http/turns.js';
import { describeTransportContract } from './transport.contract.js';

let server: Loopback;
let deaf: Loopback;

beforeEach(async () => {
  server = await serve(echoOverSse());
  deaf = await serve(({ method, path }, response) => {
    if (method === 'GET') stream(response).write(event(path, { type: 'endpoint' }));
  });
});

describeTransportContract('HTTP+SSE', {
  connector: eachLifeElsewhere(() => server, 'sse'),
  death: NetworkError,
  wires: 'one in',
  arrival: async () => {
    await server.until(() => server.received.some(({ body }) => body.includes('x-test/say')));
    // The stream is written to before the POST is answered: by the second turn both have been read.
    await nextTurn();
    await nextTurn();
  },
  deaf: {
    connector: eachLifeElsewhere(() => deaf, 'sse'),
    kill: async () => {
      await deaf.until(() => deaf.received.length === 4);
      deaf.cut();
    },
  },
});
