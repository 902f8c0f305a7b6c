import { Observable, Subscription } from 'rxjs';
import { messageOf } from '../errors/index.js';
import type { Life } from '../protocol/index.js';
import { type Want } from './wants.js';
import { keyOf } from './want-terms.js';

/** Who is told how it went. */
export interface SubscriptionListener {
  readonly ready: (want: Want) => void;
  readonly unserved: (want: Want, reason: string) => void;
}

/** One resource of a legacy server, subscribed to; unsubscribed from at its end. MCP 2025-11-25 server/resources. */
const resource = (
  { session, agreement }: Life,
  want: { readonly uri: string },
  listener: SubscriptionListener,
): Subscription => {
  const { uri } = want;
  if (agreement.server.capabilities.resources?.subscribe !== true) {
    listener.unserved(want, 'the server declared no subscriptions to resources');
    return Subscription.EMPTY;
  }
  let refused = false;
  const held = session.call({ method: 'resources/subscribe', encode: () => ({ uri }) }).subscribe({
    next: () => {
      listener.ready(want);
    },
    error: (reason: unknown) => {
      refused = true;
      if (session.end === undefined) listener.unserved(want, messageOf(reason));
    },
  });
  return new Subscription(() => {
    held.unsubscribe();
    if (refused || session.end !== undefined) return;
    session.call({ method: 'resources/unsubscribe', encode: () => ({ uri }) }).subscribe({ error: () => undefined });
  });
};

/**
 * Follows what is wanted on one legacy connection: notices of lists come unasked, resources are subscribed to one by
 * one. Emits nothing; errors never; unsubscribing takes every subscription back.
 */
export const subscribeOn = (
  life: Life,
  wants$: Observable<readonly Want[]>,
  listener: SubscriptionListener,
): Observable<never> =>
  new Observable((subscriber) => {
    const held = new Map<string, Subscription>();
    subscriber.add(
      wants$.subscribe({
        next: (wants) => {
          const wanted = new Set(wants.map(keyOf));
          for (const [key, subscription] of [...held]) {
            if (wanted.has(key)) continue;
            held.delete(key);
            subscription.unsubscribe();
          }
          for (const want of wants) {
            const key = keyOf(want);
            if (held.has(key)) continue;
            held.set(key, Subscription.EMPTY);
            if (typeof want === 'string') listener.ready(want);
            else held.set(key, resource(life, want, listener));
          }
        },
        error: (reason: unknown) => {
          subscriber.error(reason);
        },
      }),
    );
    subscriber.add(() => {
      for (const subscription of held.values()) subscription.unsubscribe();
    });
  });
