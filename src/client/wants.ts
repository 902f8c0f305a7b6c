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
  /** the connection was lost */
  | 'lost'
  /** there is no connection to be had now, and this is why */
  | { readonly unreachable: unknown };

export const LISTS = ['tools', 'prompts', 'resources'] as const;

const METHODS = {
  tools: ['tools/list'],
  prompts: ['prompts/list'],
  resources: ['resources/list', 'resources/templates/list'],
} as const;

/** What a notification says has changed; `undefined` if it says no such thing. */
export const changedBy = ({ method, params }: RawNotification): Want | undefined => {
  if (method !== 'notifications/resources/updated') {
    return LISTS.find((list) => method === `notifications/${list}/list_changed`);
  }
  const { uri } = params ?? {};
  return typeof uri === 'string' ? { uri } : undefined;
};

/** The reads that say how a want is now. */
export const readsOf = (want: Want): readonly { readonly method: string; readonly uri?: string }[] =>
  typeof want === 'string'
    ? METHODS[want].map((method) => ({ method }))
    : [{ method: 'resources/read', uri: want.uri }];
