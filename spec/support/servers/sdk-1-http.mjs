// A server of the generation before, behind HTTP: with sessions, and with events that can be asked for again.
import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import * as z from 'zod';
import { createAncestor } from './sdk-1.mjs';

/** Keeps every event of one session, so that a stream can be taken up again. */
const createEventStore = () => {
  const events = [];
  return {
    storeEvent: async (streamId, message) => {
      events.push({ streamId, message });
      return String(events.length);
    },
    replayEventsAfter: async (lastEventId, { send }) => {
      const { streamId } = events[Number(lastEventId) - 1];
      for (const [index, event] of events.entries()) {
        const isPrime = Object.keys(event.message).length === 0;
        if (index >= Number(lastEventId) && event.streamId === streamId && !isPrime) {
          await send(String(index + 1), event.message);
        }
      }
      return streamId;
    },
  };
};

/**
 * Makes one server for `fetch`. `journal` keeps what happened to its tools and its sessions; `gate` is what the tool
 * `slow` waits for, after it has reported once.
 */
export const createAncestorHttp = ({ resumable = true, journal = [], gate = () => Promise.resolve() } = {}) => {
  const sessions = new Map();

  const begin = async () => {
    const server = createAncestor(journal);
    server.registerTool('slow', { inputSchema: { id: z.string() } }, async ({ id }, { _meta, sendNotification }) => {
      journal.push(`slow ${id}`);
      const progressToken = _meta?.progressToken;
      if (progressToken !== undefined) {
        await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
      }
      await gate(id);
      return { content: [{ type: 'text', text: `done ${id}` }] };
    });
    server.registerTool('hang-up', { inputSchema: {} }, async (_args, { closeSSEStream }) => {
      closeSSEStream?.();
      await gate('hang-up');
      return { content: [{ type: 'text', text: 'polled' }] };
    });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      ...(resumable ? { eventStore: createEventStore(), retryInterval: 50 } : undefined),
      onsessioninitialized: (id) => {
        journal.push('session begun');
        sessions.set(id, { transport, server });
      },
      onsessionclosed: (id) => {
        journal.push('session ended');
        sessions.delete(id);
      },
    });
    await server.connect(transport);
    return transport;
  };

  const fetch = async (request) => {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : sessions.get(id);
    if (known !== undefined) return known.transport.handleRequest(request);
    if (id !== null) {
      const error = { code: -32_001, message: 'Session not found' };
      return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
    }
    const body = await request.clone().text();
    // What is no beginning of a session is refused as the published examples refuse it.
    if (!body.includes('"initialize"')) {
      const error = { code: -32_000, message: 'Bad Request: No valid session ID provided' };
      return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 });
    }
    return (await begin()).handleRequest(request);
  };

  return {
    fetch,
    /** How many sessions there are. */
    get sessions() {
      return sessions.size;
    },
    /** Tells every session that the tools have changed. */
    announce: () => {
      for (const { server } of sessions.values()) server.sendToolListChanged();
    },
  };
};
