// The peer that every transport is tried against, behind HTTP in its three forms. Each life has an endpoint of its own.
import type { ServerResponse } from 'node:http';
import { createEchoPeer } from '../echo-peer.mjs';
import { event, type Handler, messageOf, reply, stream } from './loopback.js';

type Peer = ReturnType<typeof createEchoPeer>;

/**
 * Streamable HTTP of either era. What the peer says goes onto the stream of the request that makes it say so; with
 * `sessions`, an `initialize` begins one, and the peer's death is that it knows the session no longer.
 */
export const echoOverPosts = ({ sessions }: { readonly sessions: boolean }): Handler => {
  const peers = new Map<string, { readonly peer: Peer; open?: ServerResponse; dead: boolean }>();
  return (received, response) => {
    const { path } = received;
    const message = messageOf(received);
    if (received.method === 'DELETE') {
      reply(response, 200);
      return;
    }
    if (received.method !== 'POST') {
      reply(response, 405);
      return;
    }
    const known = peers.get(path);
    const life = known ?? {
      dead: false,
      peer: createEchoPeer({
        say: (text) => void life.open?.write(event(text)),
        die: () => {
          life.dead = true;
        },
      }),
    };
    peers.set(path, life);
    if (message.method === 'initialize') {
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'echo', version: '1' } };
      reply(response, 200, { jsonrpc: '2.0', id: message.id, result }, { 'mcp-session-id': `of ${path}` });
      return;
    }
    if (sessions && received.headers['mcp-session-id'] !== `of ${path}`) {
      reply(response, 400, 'no session');
      return;
    }
    if (message.id === undefined) {
      life.peer(message);
      reply(response, life.dead ? 404 : 202);
      return;
    }
    life.open = stream(response);
    if (message.method === 'x-test/lose') {
      for (const text of message.params?.['texts'] as string[]) response.write(event(text));
      response.end();
      return;
    }
    life.peer(message);
    delete life.open;
    // What makes the peer speak wants an answer here, which the peer does not give by itself.
    if (message.method === 'x-test/say') response.write(event({ jsonrpc: '2.0', id: message.id, result: {} }));
    response.end();
  };
};

/** HTTP+SSE: what the peer says goes onto the one stream, and its death is the end of that. */
export const echoOverSse = (): Handler => {
  const peers = new Map<string, Peer>();
  return (received, response) => {
    const { path } = received;
    if (received.method === 'GET') {
      stream(response).write(event(`${path}?messages`, { type: 'endpoint' }));
      const peer = createEchoPeer({
        say: (text) => void response.write(event(text)),
        die: () => void response.end(),
      });
      peers.set(`${path}?messages`, peer);
      return;
    }
    const peer = peers.get(path);
    if (peer === undefined) {
      reply(response, 404);
      return;
    }
    peer(messageOf(received));
    reply(response, 202);
  };
};
