import { TransportError } from '../../src/errors/index.js';
import {
  memoryConnector,
  type InMemoryServerTransport,
  type MemoryTransport,
} from '../../src/transport/memory/index.js';
import { createEchoPeer } from '../support/echo-peer.mjs';
import { describeTransportContract } from './transport.contract.js';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const echoServer = {
  connect: (transport: InMemoryServerTransport): Promise<void> => {
    transport.onmessage = createEchoPeer({
      say: (text) => void transport.send(parsed(text)),
      die: () => void transport.close(),
    });
    return transport.start();
  },
};

describeTransportContract('in-memory', {
  connector: memoryConnector(echoServer),
  death: TransportError,
  deaf: {
    connector: memoryConnector({ connect: (transport) => transport.start() }),
    kill: (transport) => void (transport as MemoryTransport).serverSide.close(),
  },
});
