/** What a client may ask, in either era: the client requests of MCP 2026-07-28 and 2025-11-25. */
export const REQUESTS = [
  'server/discover',
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'subscriptions/listen',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
] as const;

/** What a client may say without wanting an answer. */
export const NOTIFICATIONS = [
  'notifications/cancelled',
  'notifications/initialized',
  'notifications/progress',
  'notifications/roots/list_changed',
  'notifications/tasks/status',
] as const;

/** A method a client may call. */
export type ScriptedRequestMethod = (typeof REQUESTS)[number];

/** A notification a client may send. */
export type ScriptedNotificationMethod = (typeof NOTIFICATIONS)[number];

/** The results that say how long they may be kept: MCP 2026-07-28 server/utilities/caching. */
const CACHEABLE: ReadonlySet<string> = new Set<ScriptedRequestMethod>([
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
]);

/** A result with the members a modern server must give, where the script left them out. */
export const completed = (method: string, result: object): object => ({
  resultType: 'complete',
  ...(CACHEABLE.has(method) ? { ttlMs: 0, cacheScope: 'private' } : {}),
  ...result,
});
