import { InvalidMessageError, ProtocolError, type McpError } from '../errors/index.js';
import type {
  Inbound,
  InvalidMessage,
  JsonRpcFailure,
  JsonRpcNotification,
  JsonRpcResult,
  RequestId,
} from '../jsonrpc/index.js';
import { CallTable } from './call-table.js';
import type { LogMessage, Progress } from './channels.js';

/** One call that waits for its answer. Whoever settles it first wins. */
export interface OpenCall {
  readonly id: RequestId;
  readonly method: string;
  readonly name?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly progressToken?: string | number | undefined;
  /** The raw result of the call. */
  succeed(result: unknown): void;
  fail(reason: unknown): void;
  progress?: ((progress: Progress) => void) | undefined;
  log?: ((log: LogMessage) => void) | undefined;
  /** Set where the call is a subscription. */
  notice?: ((notification: JsonRpcNotification) => void) | undefined;
}

/** How many ids of given-up calls are remembered, so that their late answers pass in silence. */
const GIVEN_UP_LIMIT = 4_096;

/** The calls in flight on one connection, found by id or by progress token in constant time. */
export class OpenCalls extends CallTable<OpenCall> {
  // Made with the first call that needs them.
  #byToken: Map<string | number, OpenCall> | undefined;
  #listening: Set<OpenCall> | undefined;
  #givenUp: Set<RequestId> | undefined;

  /** The calls that want log messages, oldest first. */
  get listeners(): Iterable<OpenCall> {
    return this.#listening ?? [];
  }

  hasToken(token: string | number): boolean {
    return this.#byToken?.has(token) === true;
  }

  byToken(token: string | number): OpenCall | undefined {
    return this.#byToken?.get(token);
  }

  override add(call: OpenCall): void {
    super.add(call);
    if (call.progressToken !== undefined) (this.#byToken ??= new Map()).set(call.progressToken, call);
    if (call.log !== undefined) (this.#listening ??= new Set()).add(call);
  }

  /** Forgets a call: it was settled, or nobody waits for it any longer. Idempotent. */
  override delete(call: OpenCall): void {
    super.delete(call);
    if (call.progressToken !== undefined) this.#byToken?.delete(call.progressToken);
    if (call.log !== undefined) this.#listening?.delete(call);
  }

  /** Forgets a call that was not answered, and lets its late answer pass in silence. */
  giveUp(call: OpenCall): void {
    this.delete(call);
    const givenUp = (this.#givenUp ??= new Set<RequestId>());
    givenUp.add(call.id);
    if (givenUp.size > GIVEN_UP_LIMIT) {
      for (const oldest of givenUp) {
        givenUp.delete(oldest);
        break;
      }
    }
  }

  /** Hands an answer to the call that waits for it. False if the message is no answer, or nobody's. */
  settle(message: Inbound): boolean {
    if ('method' in message) return false;
    const { id } = message;
    if (id === undefined) return false;
    const call = this.get(id);
    if (call === undefined) return this.#givenUp?.delete(id) === true;
    this.delete(call);
    if ('result' in message) call.succeed(message.result);
    else call.fail(failureOf(message, call));
    return true;
  }

  /** Fails everything that waits. */
  failAll(reason: unknown): void {
    // A consumer may start a new call from its error handler; that call is not this loop's.
    for (const call of this.all()) {
      this.delete(call);
      call.fail(reason);
    }
  }
}

const failureOf = (message: Exclude<JsonRpcFailure | InvalidMessage, JsonRpcResult>, call: OpenCall): McpError => {
  if ('invalid' in message) return message.error ?? new InvalidMessageError(call.method, call.id, message.invalid);
  const { code, message: text, data } = message.error;
  return new ProtocolError(code, text, data);
};
