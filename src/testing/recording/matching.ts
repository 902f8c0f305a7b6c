import { isObject, type Inbound, type Outbound, type RequestId } from '../../jsonrpc/index.js';
import { REDACTED } from '../../rx/known-secrets.js';
import { REDACTED_NUMBER } from './redact.js';

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

type Params = Readonly<Record<string, unknown>>;

/** How a name stands in a path. */
const step = (name: string): string =>
  /^[\p{L}_$][\p{L}\d_$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;

/**
 * Where a value first differs from the recorded one, as a path; `undefined` where it is the same. A text, a number or a name of which something
 * was redacted may be any.
 */
const differing = (sent: unknown, recorded: unknown, path: string): string | undefined => {
  if (recorded === REDACTED_NUMBER) return typeof sent === 'number' ? undefined : path;
  if (typeof recorded === 'string' && recorded.includes(REDACTED)) return typeof sent === 'string' ? undefined : path;
  if (Array.isArray(recorded)) {
    if (!Array.isArray(sent)) return path;
    for (let index = 0; index < Math.max(sent.length, recorded.length); index += 1) {
      const here = `${path}[${index}]`;
      if (index >= sent.length || index >= recorded.length) return here;
      const found = differing(sent[index], recorded[index], here);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(recorded)) return Object.is(sent, recorded) ? undefined : path;
  if (!isObject(sent)) return path;
  // Names that were redacted stand in their order for those that are not there otherwise.
  const strangers = Object.keys(sent).filter((key) => !Object.hasOwn(recorded, key));
  for (const key of Object.keys(recorded)) {
    const name = key.includes(REDACTED) && !Object.hasOwn(sent, key) ? strangers.shift() : key;
    const here = path + step(key);
    if (name === undefined || !Object.hasOwn(sent, name)) return here;
    const found = differing(sent[name], recorded[key], here);
    if (found !== undefined) return found;
  }
  const [stranger] = strangers;
  return stranger === undefined ? undefined : path + step(stranger);
};

const isSame = (sent: unknown, recorded: unknown): boolean => differing(sent, recorded, '') === undefined;

/** What a request is about: not who asks, nor under which tokens. */
const subjectOf = (params: Params = {}): Params => {
  const { _meta, clientInfo: _clientInfo, ...subject } = params;
  return subject;
};

type Sent = Outbound & { readonly params?: Params | undefined };

/** Where the params of a message first differ from those of a recorded one; `undefined` where they do not. */
export const differenceIn = (sent: Sent, recorded: Sent): string | undefined =>
  differing(subjectOf(sent.params), subjectOf(recorded.params), 'params');

/** Whether a message has the method of a recorded one, and what it is about. */
export const isLike = (sent: Outbound, recorded: Outbound): boolean =>
  'method' in sent &&
  'method' in recorded &&
  sent.method === recorded.method &&
  'id' in sent === 'id' in recorded &&
  differenceIn(sent, recorded) === undefined;

/** Under which token the progress of a request is told. */
export const tokenOf = (message: Sent): unknown =>
  (message.params?.['_meta'] as Params | null | undefined)?.['progressToken'];

/** Which ids and tokens of a recording are which of the client that it is played to. */
export class Names {
  readonly #ids = new Map<unknown, RequestId>();
  readonly #tokens = new Map<unknown, unknown>();

  /** Whether a message of the client is the recorded one, apart from ids, `_meta`, and who the client says it is. */
  fits(sent: Outbound, recorded: Outbound): boolean {
    if (!('method' in recorded)) {
      if ('method' in sent || sent.id !== recorded.id) return false;
      return 'result' in recorded
        ? 'result' in sent && isSame(sent.result, recorded.result)
        : 'error' in sent && sent.error.code === recorded.error.code;
    }
    if (!('method' in sent) || sent.method !== recorded.method || 'id' in sent !== 'id' in recorded) return false;
    if (sent.method === 'notifications/cancelled')
      return sent.params?.['requestId'] === this.#ids.get(recorded.params?.['requestId']);
    return isLike(sent, recorded);
  }

  /** Takes note that this was that. */
  learn(sent: Outbound, recorded: Outbound): void {
    if (!('method' in sent) || !('method' in recorded) || !('id' in sent) || !('id' in recorded)) return;
    this.#ids.set(recorded.id, sent.id);
    this.#tokens.set(tokenOf(recorded), tokenOf(sent));
  }

  /** The client's own id of a recorded request. */
  idOf(recorded: RequestId): RequestId | undefined {
    return this.#ids.get(recorded);
  }

  /** A recorded message of the server as it reads under the client's own ids and tokens. */
  translated(message: Inbound): Inbound {
    if (!('method' in message)) {
      const id = this.#ids.get(message.id);
      return id === undefined ? message : { ...message, id };
    }
    const { params } = message;
    if (params === undefined) return message;
    const changed: Record<string, unknown> = { ...params };
    if (this.#tokens.has(params['progressToken'])) changed['progressToken'] = this.#tokens.get(params['progressToken']);
    if (message.method === 'notifications/cancelled')
      changed['requestId'] = this.#ids.get(params['requestId']) ?? params['requestId'];
    const meta = params['_meta'];
    if (isObject(meta) && this.#ids.has(meta[SUBSCRIPTION_ID]))
      changed['_meta'] = { ...meta, [SUBSCRIPTION_ID]: this.#ids.get(meta[SUBSCRIPTION_ID]) };
    return { ...message, params: changed };
  }
}
