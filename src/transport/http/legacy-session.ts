import type { Inbound } from '../../jsonrpc/index.js';
import { POST_HEADERS } from './answer.js';
import type { HttpResponse } from './engine.js';
import { isForgetting } from './forgotten.js';

/** The revision that brought the version header. */
const HEADER_SINCE = '2025-06-18';

/** What revisions are called; what else a server says is refused above. */
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** What a legacy server has named for all that follows its handshake: a session, if it has them, and the version. */
export class LegacySession {
  #id: string | undefined;
  #version: string | undefined;
  /** Those of every message, until one of the two is another. */
  #headers: Readonly<Record<string, string>> | undefined;

  /** Whether the server has named a session. */
  get exists(): boolean {
    return this.#id !== undefined;
  }

  /** The fields of a message; one of `initialize`, also a renewing one, goes without either. */
  headers(method: string | undefined): Readonly<Record<string, string>> {
    if (method === 'initialize') return { ...POST_HEADERS };
    this.#headers ??= {
      ...POST_HEADERS,
      ...(this.#id === undefined ? undefined : { 'mcp-session-id': this.#id }),
      ...(this.#version === undefined ? undefined : { 'mcp-protocol-version': this.#version }),
    };
    return this.#headers;
  }

  /** Takes the session from the response to `initialize`. An empty name is none. */
  begin(response: HttpResponse): void {
    const id = response.header('mcp-session-id');
    this.#id = id === '' ? undefined : id;
    this.#headers = undefined;
  }

  /** Takes the version from the answer to `initialize`. */
  agree(inbound: Inbound): void {
    const result = 'result' in inbound ? (inbound.result as { protocolVersion?: unknown } | null) : undefined;
    const version = result?.protocolVersion;
    if (typeof version === 'string' && DATE.test(version) && version >= HEADER_SINCE) {
      this.#version = version;
      this.#headers = undefined;
    }
  }

  /** Whether the refusal of a stream says that the session is gone. */
  isForgotten(reason: unknown): boolean {
    return this.exists && isForgetting(reason, { era: 'legacy', session: true, isMessage: false });
  }
}
