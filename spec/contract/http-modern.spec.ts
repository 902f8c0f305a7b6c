import { beforeEach } from '@jest/globals';
import { NetworkError } from '../../src/errors/index.js';
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

describeTransportContract('modern HTTP', {
  connector: eachLifeElsewhere(() => server, 'modern'),
  wires: { lost: NetworkError },
  deaf: {
    connector: eachLifeElsewhere(() => deaf, 'modern'),
    kill: async () => {
      await deaf.until(() => deaf.received.length === 3);
      deaf.cut();
    },
  },
});
