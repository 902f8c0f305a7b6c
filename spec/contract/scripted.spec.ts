import { TransportError } from '../../src/errors/index.js';
import { scriptedTransport, type ScriptedTransport } from '../../src/testing/index.js';
import { connectorOf } from '../support/connector-of.js';
import { createEchoPeer } from '../support/echo-peer.mjs';
import { describeTransportContract } from './transport.contract.js';

const echoServer = (): ScriptedTransport => {
  const peer = createEchoPeer({
    say: (text) => {
      server.pushRaw(text);
    },
    die: () => {
      server.die();
    },
  });
  const hear = (_params: unknown, message: object): object => {
    peer(message);
    return scriptedTransport.silence;
  };
  const methods = ['echo', 'seen', 'say', 'die', 'cold', 'first'].map((name) => [`x-test/${name}`, hear] as const);
  const server = scriptedTransport({}, { custom: Object.fromEntries(methods) });
  return server;
};

describeTransportContract('scripted', { connector: connectorOf(echoServer), death: TransportError });
