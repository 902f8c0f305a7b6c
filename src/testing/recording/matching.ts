import { isObject, type Inbound, type Outbound, type RequestId } from '../../jsonrpc/index.js';
import { REDACTED } from '../../rx/index.js';
import { REDACTED_NUMBER } from './redact.js';

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

type Params = Readonly<Record<string, unknown>>;

/** Whether a value is the recorded one; a text, a number or a name of which something was redacted may be any. */
const isSame = (sent: unknown, recorded: unknown): boolean => {
  if (recorded === REDACTED_NUMBER) return typeof sent === 'number';
  if (typeof recorded === 'string' && recorded.includes(REDACTED)) return typeof sent === 'string';
  if (Array.isArray(recorded)) {
    return (
      Array.isArray(sent) &&
      sent.length === recorded.length &&
      recorded.every((item, index) => isSame(sent[index], item))
    );
  }
  if (!isObject(recorded)) return Object.is(sent, recorded);
  if (!isObject(sent)) return false;
  const given = Object.keys(sent);
  const kept = Object.keys(recorded);
  if (given.length !== kept.length) return false;
  // Names that were redacted stand in their order for those that are not there otherwise.
  const strangers = given.filter((key) => !Object.hasOwn(recorded, key));
  return kept.every((key) => {
    const name = key.includes(REDACTED) && !Object.hasOwn(sent, key) ? strangers.shift() : key;
    return name !== undefined && Object.hasOwn(sent, name) && isSame(sent[name], recorded[key]);
  });
};

/** What a request is about: not who asks, nor under which tokens. */
const subjectOf = (params: Params = {}): Params => {
  const { _meta, clientInfo: _clientInfo, ...subject } = params;
  return subject;
};

/** Under which token the progress of a request is told. */
export const tokenOf = (message: Outbound & { params?: Params | undefined }): unknown =>
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
    return isSame(subjectOf(sent.params), subjectOf(recorded.params));
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
