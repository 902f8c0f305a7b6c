import { concatMap, defer, Observable, timer } from 'rxjs';
import { InvalidMessageError, OptionError, TimeoutError, UnsupportedFeatureError } from '../errors/index.js';
import { isObject, type RequestId } from '../jsonrpc/index.js';
import { jsonLength } from '../jsonrpc/json-length.js';
import { checkMeta, type Life } from '../protocol/index.js';
import type { RawNotification } from '../session/index.js';
import { abortable } from './abortable.js';
import { type CallOptions, checkCallOptions } from './call-options.js';
import type { Requests } from './requests.js';

/** Which notices are wanted; what is left out is not. MCP 2026-07-28 basic/patterns/subscriptions, "Notification Filter". */
export interface SubscriptionFilter {
  readonly toolsListChanged?: boolean | undefined;
  readonly promptsListChanged?: boolean | undefined;
  readonly resourcesListChanged?: boolean | undefined;
  /** The URIs of resources. */
  readonly resourceSubscriptions?: readonly string[] | undefined;
}

/** What a subscription emits: first what the server agreed to, then its notices. */
export type ListenEvent =
  | { readonly kind: 'acknowledged'; readonly filter: SubscriptionFilter }
  | ({ readonly kind: 'notification' } & RawNotification);

const METHOD = 'subscriptions/listen';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
/** How many notices are kept until their subscription is acknowledged, and how long their JSON may be together. */
const EARLY = 1_000;
const EARLY_TEXT = 4_000_000;
const SWITCHES: readonly string[] = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'];

/** Throws an `OptionError` that names what is wrong with a filter. */
export const checkFilter = (filter: unknown): void => {
  if (!isObject(filter)) throw new OptionError('filter', 'give an object of the notices that are wanted');
  for (const [name, value] of Object.entries(filter)) {
    if (value === undefined) continue;
    if (name === 'resourceSubscriptions') {
      if (Array.isArray(value) && value.every((uri) => typeof uri === 'string')) continue;
      throw new OptionError('filter', 'resourceSubscriptions is not a list of URIs');
    }
    if (!SWITCHES.includes(name)) throw new OptionError('filter', `there is no notice ${JSON.stringify(name)}`);
    if (typeof value !== 'boolean') throw new OptionError('filter', `${name} is neither true nor false`);
  }
};

const agreed = (params: Readonly<Record<string, unknown>> | undefined): SubscriptionFilter => {
  const filter = params?.['notifications'];
  return isObject(filter) ? filter : {};
};

/**
 * Opens one subscription on one connection. Emits what was agreed to, then each notice in wire order; completes when
 * the server ends it by a response or `notifications/cancelled`; errors where it is refused, not acknowledged in
 * `acknowledgeMs` (0 is without limit) or before a thousand notices, or lost with the wire. Unsubscribing cancels it.
 */
export const listenOn = (
  { session, agreement }: Life,
  filter: SubscriptionFilter,
  acknowledgeMs: number,
  meta?: CallOptions['meta'],
): Observable<ListenEvent> =>
  new Observable((subscriber) => {
    let id: RequestId | undefined;
    let open = false;
    const early: RawNotification[] = [];
    let earlyText = 0;
    const clock =
      acknowledgeMs === 0
        ? undefined
        : timer(acknowledgeMs).subscribe({
            next: () => {
              subscriber.error(new TimeoutError(METHOD, id, acknowledgeMs));
            },
            error: () => undefined,
          });
    subscriber.add(clock);
    const acknowledge = (params: Readonly<Record<string, unknown>> | undefined): void => {
      open = true;
      clock?.unsubscribe();
      subscriber.next({ kind: 'acknowledged', filter: agreed(params) });
      for (const notice of early) subscriber.next({ kind: 'notification', ...notice });
    };
    subscriber.add(
      session
        .call({
          method: METHOD,
          encode: () => agreement.codec.encode({ notifications: filter }, { meta }),
          onSend: (sent) => {
            id = sent;
          },
          onNotice: ({ method, params }) => {
            if (method === ACKNOWLEDGED) {
              if (!open) acknowledge(params);
            } else if (open) subscriber.next({ kind: 'notification', method, params });
            // A server that speaks before it has acknowledged breaks a rule, but what it says is no less true.
            else {
              early.push({ method, params });
              earlyText += jsonLength(params);
              if (early.length <= EARLY && earlyText <= EARLY_TEXT) return;
              early.length = 0;
              subscriber.error(
                new InvalidMessageError(METHOD, id, 'more notices than are kept before it is acknowledged'),
              );
            }
          },
        })
        .subscribe({
          error: (reason: unknown) => {
            subscriber.error(reason);
          },
          complete: () => {
            subscriber.complete();
          },
        }),
    );
  });

/** The raw stream of a client: see `McpClient.listen`. */
export const listen = (
  requests: Requests,
  filter: SubscriptionFilter,
  options: CallOptions | undefined,
  acknowledgeMs: number,
): Observable<ListenEvent> =>
  defer(() => {
    checkFilter(filter);
    if (options !== undefined) checkCallOptions(options);
    const { signal, meta, timeoutMs = acknowledgeMs } = options ?? {};
    if (meta !== undefined) checkMeta(meta);
    const events$ = requests.ready(METHOD, options).pipe(
      concatMap((life) => {
        if (life.agreement.server.era === 'legacy') {
          const instead = 'observe tools$, prompts$, resources$ or watchResource(), which follow changes in either era';
          throw new UnsupportedFeatureError(METHOD, 'legacy', instead);
        }
        return listenOn(life, filter, timeoutMs, meta);
      }),
    );
    return events$.pipe(abortable(signal, METHOD));
  });
