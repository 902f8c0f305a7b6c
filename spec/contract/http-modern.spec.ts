import { beforeEach } from '@jest/globals';
import { NetworkError } from '../../src/errors/index.js';
import type { HttpParameters } from '../../src/transport/http/index.js';
import { eachLifeElsewhere } from '../support/http/each-life.js';
import { echoOverPosts } from '../support/http/echo-http.js';
import { type Loopback, serve } from '../support/http/loopback.js';
import { describeTransportContract } from './transport.contract.js';

let server: Loopback;
let deaf: Loopback;

beforeEach(async () => {
  server = await serve(echoOverPosts({ sessions: false }));
  deaf = await serve(() => undefined);
});

const engines: readonly (readonly [string, Partial<HttpParameters>])[] = [
  ['modern HTTP', {}],
  ['modern HTTP, on fetch,', { fetch: (input, init) => globalThis.fetch(input, init) }],
];

for (const [name, parameters] of engines) {
  describeTransportContract(name, {
    connector: eachLifeElsewhere(() => server, 'modern', parameters),
    wires: { lost: NetworkError },
    deaf: {
      connector: eachLifeElsewhere(() => deaf, 'modern', parameters),
      kill: async () => {
        await deaf.until(() => deaf.received.length === 3);
        deaf.cut();
      },
    },
  });
}
