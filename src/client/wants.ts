import type { SubscriptionFilter } from './listen.js';
import type { RawNotification } from '../session/index.js';

/** Something whose changes are wanted: a list, or one resource. */
export type Want = 'tools' | 'prompts' | 'resources' | { readonly uri: string };

/** What is heard of a want. */
export type Signal =
  /** from now on changes are told: read it, for some may have been missed */
  | 'ready'
  /** it changed */
  | 'changed'
  /** the server will not tell of changes */
  | 'unserved'
  /** the connection was lost, or cannot be had */
  | 'lost';

const SWITCH = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const;

export const keyOf = (want: Want): string => (typeof want === 'string' ? want : `uri:${want.uri}`);

export const nameOf = (want: Want): string =>
  typeof want === 'string' ? `the list of ${want}` : `the resource ${want.uri}`;

/** The filter that asks for all of them. */
export const filterOf = (wants: readonly Want[]): SubscriptionFilter => {
  const filter: Record<string, unknown> = {};
  const uris: string[] = [];
  for (const want of wants) {
    if (typeof want === 'string') filter[SWITCH[want]] = true;
    else uris.push(want.uri);
  }
  return uris.length === 0 ? filter : { ...filter, resourceSubscriptions: uris };
};

/** Whether a filter the server agreed to has a want in it. */
export const isServed = (want: Want, filter: SubscriptionFilter): boolean =>
  typeof want === 'string'
    ? filter[SWITCH[want]] === true
    : Array.isArray(filter.resourceSubscriptions) && filter.resourceSubscriptions.includes(want.uri);

/** Whether a notification tells of a change of a want. */
export const isAbout = (want: Want, { method, params }: RawNotification): boolean =>
  typeof want === 'string'
    ? method === `notifications/${want}/list_changed`
    : method === 'notifications/resources/updated' && params?.['uri'] === want.uri;
