import { catchError, map, type Observable, of, throwError } from 'rxjs';
import { InvalidMessageError } from '../errors/index.js';
import { declares, type Result } from '../protocol/index.js';
import type { Tool } from '../protocol/schemas/index.js';
import type { ReadOptions } from './call-options.js';
import { type ListKind, TOOLS } from './list-kind.js';
import { ENTRY_CAP, type Page } from './pages.js';
import { callable } from './mirroring.js';
import type { ClientParts } from './parts.js';
import { UnknownList } from './reads.js';

/** A list as it was read. */
export interface ListReading<T> {
  readonly entries: T[];
  /** How much longer the page that ages first is fresh, in ms; 0 in the legacy era. */
  readonly ttlMs: number;
}

/** How many entries of a page are told of, each by itself. */
const TOLD_CAP = 10;

class NotDeclared extends Error {}

/**
 * Reads a whole list. Emits it once, after the last page, and completes. A server that did not declare the capability,
 * or does not know the method, has an empty list. An entry that is malformed never hides the others; it is a
 * warning, once for each page that was fetched: ten of a page, then one for the rest.
 */
export const readList = <T>(
  { reads, channels }: ClientParts,
  kind: ListKind<T>,
  options: ReadOptions | undefined,
): Observable<ListReading<T>> => {
  const { method, member, capability, read } = kind;
  const warn = (message: string, entry: unknown): void => {
    channels.warn('malformed-entry', message, entry);
  };
  const fits = (result: Result): boolean => Array.isArray(result[member]);
  const entriesOf = (page: Page): T[] => {
    if (!fits(page.result)) throw new InvalidMessageError(method, undefined, `${member} is not a list`);
    const isNews = reads.isNews(page);
    const all = page.result[member] as unknown[];
    let malformed = 0;
    const tell = (message: string, entry: unknown): void => {
      malformed += 1;
      if (isNews && malformed <= TOLD_CAP) warn(message, entry);
    };
    const entries: T[] = [];
    for (const entry of all.slice(0, ENTRY_CAP)) {
      const one = read(entry, tell);
      if (one !== undefined) entries.push(one);
    }
    if (isNews && malformed > TOLD_CAP)
      warn(`${malformed - TOLD_CAP} more entries of ${member} are malformed`, undefined);
    if (isNews && all.length > ENTRY_CAP) warn(`left out all of ${member} beyond ${ENTRY_CAP}`, undefined);
    return entries;
  };
  return reads
    .pages({
      method,
      params: {},
      options,
      check: (agreement) => {
        if (!declares(agreement, capability)) throw new NotDeclared();
      },
      fits,
    })
    .pipe(
      map((pages) => ({
        entries: pages.flatMap(entriesOf),
        ttlMs: Math.min(...pages.map(({ freshMs }) => freshMs)),
      })),
      catchError((reason: unknown) => {
        const none = reason instanceof NotDeclared || reason instanceof UnknownList;
        return none ? of({ entries: [], ttlMs: 0 }) : throwError(() => reason);
      }),
    );
};

/** Reads the tools that can be called, as {@link readList}, and keeps them in the catalogue. */
export const readTools = (parts: ClientParts, options: ReadOptions | undefined): Observable<ListReading<Tool>> =>
  readList(parts, TOOLS, options).pipe(
    map(({ entries, ttlMs }) => {
      const tools = callable(entries, parts);
      parts.catalogue.keep(tools, ttlMs);
      return { entries: tools, ttlMs };
    }),
  );
