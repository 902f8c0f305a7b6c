import { Observable } from 'rxjs';
import type { Connector } from '../../../src/index.js';
import type { ScriptedTransport } from '../../../src/testing/index.js';

export const ERAS = ['modern', 'legacy'] as const;

/** A connector to scripted servers: one for each life, kept in `opened`. */
export const scriptedLives = (
  make: (life: number) => ScriptedTransport,
  { reopens }: { readonly reopens?: boolean } = {},
): Connector & { readonly opened: ScriptedTransport[] } => {
  const opened: ScriptedTransport[] = [];
  const connector = () =>
    new Observable<ScriptedTransport>((subscriber) => {
      const server = make(opened.length + 1);
      opened.push(server);
      subscriber.next(server);
    });
  return Object.assign(connector, { opened, reopens });
};

/** The methods a server was sent, in order; an answer is `'answer'`. */
export const methodsOf = (server: ScriptedTransport): string[] =>
  server.sent.map((message) => ('method' in message ? message.method : 'answer'));

/** The messages of one method a server was sent. */
export const sentTo = (
  server: ScriptedTransport,
  method: string,
): { readonly id?: string | number; readonly params?: Readonly<Record<string, unknown>> }[] =>
  server.sent.filter((message) => 'method' in message && message.method === method) as object[];

/** The `_meta` of the n-th request of one method. */
export const metaOf = (server: ScriptedTransport, method: string, index = 0): Record<string, unknown> =>
  (sentTo(server, method)[index]?.params?.['_meta'] ?? {}) as Record<string, unknown>;

/** The opening of each era, with the era pinned. */
export const OPENING: Readonly<Record<'modern' | 'legacy', readonly string[]>> = {
  modern: ['server/discover'],
  legacy: ['initialize', 'notifications/initialized'],
};
