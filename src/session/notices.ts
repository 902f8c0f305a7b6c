import type { JsonRpcNotification, RequestId } from '../jsonrpc/index.js';
import { type Channels, LOG_LEVELS, type LogLevel, type LogMessage, type Progress } from './channels.js';
import type { OpenCalls } from './open-calls.js';

type Params = Readonly<Record<string, unknown>>;

const LEVELS: ReadonlySet<unknown> = /* @__PURE__ */ new Set(LOG_LEVELS);

/** Names the `subscriptions/listen` request a notice belongs to. MCP 2026-07-28 basic/patterns/subscriptions. */
const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

const subscriptionOf = (params: Params | undefined): unknown =>
  (params?.['_meta'] as Params | null | undefined)?.[SUBSCRIPTION_ID];

/** Brings each notification of one connection to whom it concerns: the call it is about, and the client's streams. */
export class Notices {
  readonly #calls: OpenCalls;
  readonly #channels: Channels;
  readonly #requests: { withdraw(id: unknown): void };

  /** @param requests those of the server */
  constructor(calls: OpenCalls, channels: Channels, requests: { withdraw(id: unknown): void }) {
    this.#calls = calls;
    this.#channels = channels;
    this.#requests = requests;
  }

  /** @param channel the request on whose own channel it came, where there is such a thing */
  take(notification: JsonRpcNotification, channel?: RequestId): void {
    this.#channels.notification(notification);
    const { method, params } = notification;
    if (method === 'notifications/progress') this.#progressed(params);
    else if (method === 'notifications/message') this.#logged(params, channel);
    else if (method === 'notifications/cancelled') this.#cancelled(params);
    else this.#calls.get(subscriptionOf(params))?.notice?.(notification);
  }

  #progressed(params: Params | undefined): void {
    const { progressToken, progress, total, message } = params ?? {};
    if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return;
    const call = this.#calls.byToken(progressToken);
    // Reports after the answer, or for a token never given, are dropped: MCP 2026-07-28 basic/patterns/progress.
    if (call === undefined || typeof progress !== 'number') return;
    // JSON has numbers that are read as infinite: nobody can draw those.
    if (!Number.isFinite(progress)) {
      this.#channels.warn('malformed-entry', 'left out a progress report whose progress is not finite', params);
      return;
    }
    const isDrawable = typeof total === 'number' && Number.isFinite(total);
    if (typeof total === 'number' && !isDrawable)
      this.#channels.warn('malformed-entry', 'left out the total of a progress report, which is not finite', params);
    const { id: requestId, method, name, toolCallId } = call;
    const report: Progress = {
      requestId,
      progressToken,
      method,
      ...(name === undefined ? undefined : { name }),
      ...(toolCallId === undefined ? undefined : { toolCallId }),
      progress,
      ...(isDrawable ? { total } : undefined),
      ...(typeof message === 'string' ? { message } : undefined),
    };
    call.progress?.(report);
    this.#channels.progress(report);
  }

  #logged(params: Params | undefined, channel: RequestId | undefined): void {
    const { level, logger, data } = params ?? {};
    if (!LEVELS.has(level)) return;
    const log: LogMessage = {
      level: level as LogLevel,
      ...(typeof logger === 'string' ? { logger } : undefined),
      data,
    };
    // A listener may start a call of its own; that call is not this message's.
    const about = channel === undefined ? [...this.#calls.listeners] : [this.#calls.get(channel)];
    for (const call of about) call?.log?.(log);
    this.#channels.log(log);
  }

  /** A legacy server withdraws a request of its own; a modern one ends a subscription, and may end nothing else. */
  #cancelled(params: Params | undefined): void {
    const id = params?.['requestId'];
    const call = this.#calls.get(id);
    if (call?.notice !== undefined) {
      this.#calls.delete(call);
      call.succeed({});
    } else this.#requests.withdraw(id);
  }
}
