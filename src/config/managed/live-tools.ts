import {
  combineLatest,
  concat,
  defer,
  distinctUntilChanged,
  EMPTY,
  map,
  type Observable,
  of,
  ReplaySubject,
  retry,
  share,
  switchMap,
  tap,
} from 'rxjs';
import type { McpClient } from '../../bridge/index.js';
import { sameJson } from '../../jsonrpc/same-json.js';
import type { Tool } from '../../protocol/schemas/index.js';
import { Backoff } from '../../rx/index.js';
import type { Offer } from './offer.js';
import type { Supervisor } from './supervisor.js';

/**
 * The live list of the tools of a server under the names they appear by: empty unless it is connected, kept while it is
 * started again. Shared, with a replay of the latest. Completes when the server is stopped; never errors.
 */
export const liveToolsOf = (client: McpClient, supervisor: Supervisor, offer: Offer): Observable<readonly Tool[]> => {
  const backoff = new Backoff();
  const listed$ = client.tools$.pipe(
    tap((list) => {
      backoff.succeeded();
      offer.listed(list);
    }),
  );
  // What the start has listed is known at once.
  const known$ = defer(() => (offer.list === undefined ? EMPTY : of(offer.list)));
  const live$ = combineLatest([concat(known$, listed$), offer.tools$]).pipe(
    map(([list, tools]) => tools.named(list)),
    // The server was there a moment ago, and listed its tools: it will again, or it will be said to have failed.
    retry({ delay: () => backoff.next() }),
  );
  return supervisor.state$.pipe(
    map(() => supervisor.isUp),
    distinctUntilChanged(),
    switchMap((isUp) => (isUp ? live$ : of([]))),
    distinctUntilChanged<readonly Tool[]>((before, after) => sameJson(before, after)),
    share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: true }),
  );
};
