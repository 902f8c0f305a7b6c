import type { SubscriptionFilter } from '../../../src/index.js';
import { type ScriptEntry, type ScriptedTransport, scriptedTransport } from '../../../src/testing/index.js';
import { sentTo } from './scripted.js';

const LISTEN = 'subscriptions/listen';
const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

/** Acknowledges each subscription and holds it open; `agree` says to what of it. */
export const acknowledging = (
  agree: (filter: SubscriptionFilter) => SubscriptionFilter = (filter) => filter,
): ScriptEntry => {
  const { notice, silence, steps } = scriptedTransport;
  return ({ notifications }, { id }) =>
    steps(
      notice('notifications/subscriptions/acknowledged', {
        _meta: { [SUBSCRIPTION_ID]: id },
        notifications: agree(notifications as SubscriptionFilter),
      }),
      silence,
    );
};

/** The filters a server was asked for, in order. */
export const filtersOf = (server: ScriptedTransport): unknown[] =>
  sentTo(server, LISTEN).map(({ params }) => params?.['notifications']);

/** The ids of the subscriptions that the client has opened and not given up. */
export const openOn = (server: ScriptedTransport): (string | number)[] => {
  const over = sentTo(server, 'notifications/cancelled').map(({ params }) => params?.['requestId']);
  return sentTo(server, LISTEN).flatMap(({ id }) => (id === undefined || over.includes(id) ? [] : [id]));
};

/** Says something on each subscription that is open. */
export const tell = (server: ScriptedTransport, method: string, params: object = {}): void => {
  for (const id of openOn(server)) server.push({ method, params: { ...params, _meta: { [SUBSCRIPTION_ID]: id } } });
};

/** Ends a subscription from the server's side: by the answer to it, or by a notice. */
export const drop = (server: ScriptedTransport, id: string | number, how: 'answer' | 'notice' = 'answer'): void => {
  if (how === 'answer') server.push({ id, result: { resultType: 'complete', _meta: { [SUBSCRIPTION_ID]: id } } });
  else server.push({ method: 'notifications/cancelled', params: { requestId: id } });
};
