import type { ServerResponse } from 'node:http';
import { event, messageOf, type Received, reply, serve, stream } from '../http/loopback.js';
import { withCors } from './cors.js';

/** What the call of a tool may do before it is answered. */
export interface Calling {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Sends a message on the stream of the call. */
  readonly say: (message: object) => void;
  /** Asks the client; resolves with its result. */
  readonly ask: (params: object) => Promise<unknown>;
}

type Result = { readonly content: readonly unknown[] };

export interface PageServerOptions {
  readonly tools: readonly object[];
  /** The result of a call. Default: its arguments, as text. */
  readonly call?: (calling: Calling) => Promise<Result> | Result;
  /** What it says of itself. */
  readonly info?: unknown;
}

/** A legacy server that lets pages in, and says what no decent one would. Closed after its spec. */
export interface PageServer {
  readonly url: string;
  /** What its tools were called with, in order. */
  readonly calls: Readonly<Record<string, unknown>>[];
  /** What requests were authorized by. */
  readonly authorizations: readonly (string | undefined)[];
  /** Has it other tools, and say so. */
  readonly change: (tools: readonly object[]) => void;
  /** Says something on its own stream; resolves once that is there. */
  readonly say: (...messages: readonly object[]) => Promise<void>;
}

const notice = (message: object): string => event({ jsonrpc: '2.0', ...message });

export const pageServer = async ({ tools, call, info }: PageServerOptions): Promise<PageServer> => {
  const calls: Readonly<Record<string, unknown>>[] = [];
  const asked = new Map<unknown, (result: unknown) => void>();
  let own: (response: ServerResponse) => void;
  const own$ = new Promise<ServerResponse>((resolve) => {
    own = resolve;
  });
  let offered = tools;

  const run = async (response: ServerResponse, received: Received): Promise<void> => {
    const { id, params } = messageOf(received);
    const args = (params?.['arguments'] ?? {}) as Readonly<Record<string, unknown>>;
    calls.push(args);
    stream(response);
    const say = (message: object): void => void response.write(notice(message));
    const ask = (question: object): Promise<unknown> =>
      new Promise((resolve) => {
        const key = `question ${asked.size}`;
        asked.set(key, resolve);
        say({ id: key, method: 'elicitation/create', params: question });
      });
    const calling = { name: String(params?.['name']), args, say, ask };
    const result = await (call?.(calling) ?? { content: [{ type: 'text', text: JSON.stringify(args) }] });
    response.end(notice({ id, result }));
  };

  const server = await serve(
    withCors((received, response) => {
      if (received.method === 'GET') {
        own(stream(response));
        return undefined;
      }
      if (received.method === 'DELETE') return reply(response, 200);
      const { id, method, result } = messageOf(received);
      const answer = (value: unknown) => reply(response, 200, { jsonrpc: '2.0', id, result: value });
      if (method === undefined) {
        asked.get(id)?.(result);
        return reply(response, 202);
      }
      if (id === undefined) return reply(response, 202);
      if (method === 'tools/call') return run(response, received);
      if (method === 'tools/list') return answer({ tools: offered });
      if (method === 'logging/setLevel') return answer({});
      if (method !== 'initialize') return reply(response, 400, 'Bad Request');
      const capabilities = { tools: { listChanged: true }, logging: {} };
      return answer({
        protocolVersion: '2025-11-25',
        capabilities,
        serverInfo: info ?? { name: 'peer', version: '1' },
      });
    }),
  );
  const say = async (...messages: readonly object[]): Promise<void> => {
    (await own$).write(messages.map(notice).join(''));
  };
  return {
    url: server.url,
    calls,
    get authorizations() {
      return server.received
        .filter(({ method }) => method !== 'OPTIONS')
        .map(({ headers }) => headers.authorization as never);
    },
    change: (other) => {
      offered = other;
      void say({ method: 'notifications/tools/list_changed' });
    },
    say,
  };
};
