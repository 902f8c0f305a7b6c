import { distinctUntilChanged, filter, map, merge, type Observable, startWith } from 'rxjs';
import type { McpClient } from 'rx-mcp';

/**
 * Whether a server is there, as far as its stream of changes tells: `away` from when that broke, and for as long as nothing
 * comes in. A modern server has no connection that could be lost, so `state$` alone does not say it.
 */
export const link = ({ warnings$, wire$ }: McpClient): Observable<'here' | 'away'> =>
  merge(
    warnings$.pipe(
      filter(({ kind, detail }) => kind === 'subscription' && detail instanceof Error),
      map(() => 'away' as const),
    ),
    wire$.pipe(
      filter(({ direction }) => direction === 'in'),
      map(() => 'here' as const),
    ),
  ).pipe(startWith('here' as const), distinctUntilChanged());
