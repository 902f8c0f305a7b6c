import { type Agreement, declares } from '../protocol/index.js';
import type { RawNotification } from '../session/index.js';
import type { SubscriptionFilter } from './listen.js';
import { LISTS, type Want } from './wants.js';

const SWITCH = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const;

export const keyOf = (want: Want): string => (typeof want === 'string' ? want : `uri:${want.uri}`);

export const nameOf = (want: Want): string =>
  typeof want === 'string' ? `the list of ${want}` : `the resource ${want.uri}`;

/** Whether the server has such things at all. */
export const isDeclared = (want: Want, agreement: Agreement): boolean =>
  declares(agreement, typeof want === 'string' ? want : 'resources');

/** The filter that asks for all of them; the same for the same wants, in whatever order they came. */
export const filterOf = (wants: readonly Want[]): SubscriptionFilter => {
  const switches = LISTS.filter((list) => wants.includes(list)).map((list) => [SWITCH[list], true] as const);
  const resourceSubscriptions = wants.flatMap((want) => (typeof want === 'string' ? [] : [want.uri])).sort();
  return {
    ...Object.fromEntries(switches),
    ...(resourceSubscriptions.length === 0 ? undefined : { resourceSubscriptions }),
  };
};

/** Whether a filter the server agreed to has a want in it. */
export const isServed = (want: Want, filter: SubscriptionFilter): boolean =>
  typeof want === 'string'
    ? filter[SWITCH[want]] === true
    : Array.isArray(filter.resourceSubscriptions) && filter.resourceSubscriptions.includes(want.uri);

/** Whether an update names a resource, or one below it. MCP 2026-07-28 schema, `ResourceUpdatedNotification`. */
const isOf = (uri: string, updated: unknown): boolean =>
  typeof updated === 'string' && (updated === uri || updated.startsWith(uri.endsWith('/') ? uri : `${uri}/`));

/** Whether a notification tells of a change of a want. */
export const isAbout = (want: Want, { method, params }: RawNotification): boolean =>
  typeof want === 'string'
    ? method === `notifications/${want}/list_changed`
    : method === 'notifications/resources/updated' && isOf(want.uri, params?.['uri']);
