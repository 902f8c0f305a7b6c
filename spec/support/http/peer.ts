import type { ServerResponse } from 'node:http';
import { event, type Handler, messageOf, type Received, reply, stream } from './loopback.js';

/** How one answer is written; `received` is the request it answers. */
export type Writing = (response: ServerResponse, answer: object, received: Received) => unknown;

/** Writes an answer as JSON. */
export const asJson: Writing = (response, answer) => reply(response, 200, answer);

/** Writes an answer as the one event of a stream. */
export const asStream: Writing = (response, answer) => stream(response).end(event(answer));

export interface PeerOptions {
  readonly era: 'modern' | 'legacy';
  /** How answers to the calls of tools are written. Default: as JSON. */
  readonly call?: Writing | undefined;
  /** How all other answers are written. Default: as JSON. */
  readonly rest?: Writing | undefined;
  /** What is done with a GET. Default: 405. */
  readonly get?: Handler | undefined;
  /** The session of a legacy server; it is asked for each time, and without one there is none. */
  readonly session?: (() => string) | undefined;
  /** What each tool that is called is written into. */
  readonly ran?: string[] | undefined;
}

export const TOOLS = [
  { name: 'pay', inputSchema: { type: 'object' } },
  { name: 'look', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
];

const serverInfo = { name: 'peer', version: '1' };
const capabilities = { tools: {} };

const resultOf = ({ method, params }: ReturnType<typeof messageOf>, { era, ran }: PeerOptions): object | undefined => {
  if (method === 'server/discover' && era === 'modern') {
    return { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities, serverInfo };
  }
  if (method === 'initialize' && era === 'legacy') return { protocolVersion: '2025-11-25', capabilities, serverInfo };
  if (method === 'ping') return {};
  if (method === 'tools/list') return { tools: TOOLS };
  if (method !== 'tools/call') return undefined;
  const name = String(params?.['name']);
  ran?.push(name);
  return { content: [{ type: 'text', text: `${name}: grüß dich, 漢字 🦀` }] };
};

/** A server of one era that says no more than it must, and that writes its answers as a spec wants. */
export const peer = (options: PeerOptions): Handler => {
  const { era, call = asJson, rest = asJson, get, session } = options;
  return (received, response, request) => {
    if (received.method === 'GET') return get === undefined ? reply(response, 405) : get(received, response, request);
    if (received.method === 'DELETE') return reply(response, 200);
    const message = messageOf(received);
    if (session !== undefined && message.method === 'initialize') response.setHeader('mcp-session-id', session());
    else if (session !== undefined && era === 'legacy' && message.method !== 'server/discover') {
      if (received.headers['mcp-session-id'] !== session()) return reply(response, 404, 'Session not found');
    }
    if (message.id === undefined || message.method === undefined) return reply(response, 202);
    const result = resultOf(message, options);
    if (result === undefined) return reply(response, 400, 'Bad Request');
    const write = message.method === 'tools/call' ? call : rest;
    return write(response, { jsonrpc: '2.0', id: message.id, result }, received);
  };
};
