import { isObservable, shareReplay, skip, takeUntil } from 'rxjs';
import { reasonText } from '../errors/index.js';
import type { Hooks, Life } from '../protocol/index.js';
import type { ClientCapabilities } from '../protocol/schemas/index.js';
import type { Channels } from '../session/index.js';

/** The hooks, with one subscription to a live list of roots for all who look at it: they see its latest value. */
export const withSharedRoots = (hooks: Hooks): Hooks =>
  isObservable(hooks.onListRoots)
    ? { ...hooks, onListRoots: hooks.onListRoots.pipe(shareReplay({ bufferSize: 1, refCount: true })) }
    : hooks;

/**
 * Holds a live list of roots for one life of the wire, so that its latest value is there to answer with. A legacy
 * server is told of each value after the first. MCP 2025-11-25 client/roots.
 */
export const followRoots = (
  { session, agreement }: Life,
  { onListRoots }: Hooks,
  declared: ClientCapabilities,
  channels: Channels,
): void => {
  if (!isObservable(onListRoots)) return;
  const tells = agreement.server.era === 'legacy' && declared.roots?.listChanged === true;
  onListRoots.pipe(skip(1), takeUntil(session.ended$)).subscribe({
    next: () => {
      if (tells) session.notify('notifications/roots/list_changed');
    },
    error: (reason: unknown) => {
      channels.warn('hook-failed', `onListRoots ended: ${reasonText(reason)}`, reason);
    },
  });
};
