import { describe, expect, it } from '@jest/globals';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { portTransport } from '../../examples/own-transport.js';
import { connect } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connectorOf } from '../support/connector-of.js';
import { createEchoPeer } from '../support/echo-peer.mjs';
import { describeTransportContract } from './transport.contract.js';

const openPort = (serve: (port: MessagePort) => (message: object) => void): ReturnType<typeof portTransport> => {
  const { port1, port2 } = new MessageChannel();
  const take = serve(port2);
  port2.on('message', (text: string) => {
    take(JSON.parse(text) as object);
  });
  return portTransport(port1);
};

const echoServer = (port: MessagePort): ((message: object) => void) =>
  createEchoPeer({
    say: (text) => {
      port.postMessage(text);
    },
    die: () => {
      port.close();
    },
  });

describeTransportContract('own (examples/own-transport.ts)', {
  connector: connectorOf(() => openPort(echoServer)),
  death: Error,
});

describe('a transport of one’s own', () => {
  it('carries a client', async () => {
    const tools = [{ name: 'add', inputSchema: { type: 'object' as const } }];
    const server = scriptedTransport({ 'tools/list': { tools } });
    const wire = openPort((port) => {
      server.inbound$.subscribe({
        next: (message) => {
          port.postMessage(JSON.stringify(message));
        },
        error: () => undefined,
      });
      return (message) => {
        server.send(message as never).subscribe({ error: () => undefined });
      };
    });
    const mcp = connect(wire);
    expect(await mcp.promises.listTools()).toEqual(tools);
    await mcp.close();
    expect(wire.alive).toBe(false);
  });
});
