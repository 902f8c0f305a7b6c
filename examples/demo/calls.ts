import { catchError, concat, concatMap, connect, endWith, from, ignoreElements, map, merge, mergeMap, of } from 'rxjs';
import { startWith, takeUntil, takeWhile } from 'rxjs';
import type { MonoTypeOperatorFunction, Observable } from 'rxjs';
import type { CallToolResult, McpClient } from '../../src/index.js'; // 'rx-mcp'
import type { Happening } from './happenings.js';
import { oneLine, reasonOf, textOf } from './text.js';

interface Film {
  readonly film: string;
  readonly frames: number;
  readonly paceMs: number;
  /** The call is given up when it is this far, in percent. */
  readonly giveUpAt?: number;
}

const FILMS: readonly Film[] = [
  { film: 'harbour', frames: 10, paceMs: 160 },
  { film: 'winter', frames: 12, paceMs: 170 },
  { film: 'market', frames: 16, paceMs: 120, giveUpAt: 50 },
  { film: 'portraits', frames: 8, paceMs: 280 },
];

/** A tool that fails is no error: its result says so. */
const ended = (slot: number, result: CallToolResult): Happening => ({
  kind: 'ended',
  slot,
  outcome: result.isError === true ? 'failed' : 'done',
  text: textOf(result),
});

/** One call with its events: its progress as it comes, and its end, whichever it is. */
const develop = (mcp: McpClient, { giveUpAt = Infinity, ...film }: Film, slot: number): Observable<Happening> =>
  mcp.callTool('develop', film, { observe: 'events' }).pipe(
    concatMap((event): Happening[] => {
      if (event.kind === 'result') return [ended(slot, event.result)];
      if (event.kind !== 'progress') return []; // a log comes to each open call: `listen` has it once
      const { progress, total = 100, message = '' } = event;
      const percent = Math.floor((progress / total) * 100);
      const report: Happening = { kind: 'progress', slot, percent, message: oneLine(message) };
      return percent < giveUpAt
        ? [report]
        : [report, { kind: 'ended', slot, outcome: 'cancelled', text: `given up at ${percent}%` }];
    }),
    // This leaves the call half way. Unsubscribing is all it takes: the server is told, and stops.
    takeWhile((happening) => happening.kind !== 'ended', true),
    // One call that fails does not end the others.
    catchError((reason: unknown) => of<Happening>({ kind: 'ended', slot, outcome: 'failed', text: reasonOf(reason) })),
    startWith<Happening>({ kind: 'started', slot, name: film.film }),
  );

/** Adds what the server says meanwhile. These streams are hot and would go on, so they end with the calls. */
const listen = (mcp: McpClient): MonoTypeOperatorFunction<Happening> =>
  connect((calls$) =>
    merge(
      calls$,
      merge(
        mcp.logs$.pipe(
          map(({ level, data }) => ({ how: level, text: typeof data === 'string' ? data : JSON.stringify(data) })),
        ),
        mcp.stderr$.pipe(map((text) => ({ how: 'stderr', text }))),
      ).pipe(
        map(({ how, text }): Happening => ({ kind: 'said', how, text: oneLine(text) })),
        takeUntil(calls$.pipe(ignoreElements(), endWith('over'))),
      ),
    ),
  );

/** Four films at once, then a print that cannot be made, and what the server says meanwhile. */
export const work = (mcp: McpClient): Observable<Happening> =>
  concat(
    from(FILMS).pipe(mergeMap((film, index) => develop(mcp, film, index + 1))),
    mcp.callTool('print', { paper: 'baryta' }).pipe(map((result) => ended(FILMS.length + 1, result))),
  ).pipe(listen(mcp));
