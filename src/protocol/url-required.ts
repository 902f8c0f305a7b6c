import {
  catchError,
  concatMap,
  defer,
  filter,
  finalize,
  map,
  merge,
  type MonoTypeOperatorFunction,
  type Observable,
  of,
  shareReplay,
  take,
  throwError,
  timeout,
} from 'rxjs';
import { isObject } from '../jsonrpc/index.js';
import { together } from '../rx/together.js';
import type { RawNotification } from '../session/index.js';
import type { ServerDescription } from './agreement.js';
import { type InputTerms, put } from './questions.js';
import { isUrlRequired } from './is-url-required.js';
import { QUESTION_CAP } from './rounds.js';

export interface UrlRequiredTerms<T> extends InputTerms {
  /** Makes the call once more. */
  readonly again: () => Observable<T>;
  readonly notifications$: Observable<RawNotification>;
  /** Emits when the wire has ended on which the server would say that a matter is done. */
  readonly lost$: Observable<unknown>;
  /** How long completion is waited for, in ms; 0 is without limit. */
  readonly inputTimeoutMs: number;
}

interface Matter {
  readonly id: string;
  readonly params: Record<string, unknown>;
}

const mattersOf = (reason: unknown, server: ServerDescription): readonly Matter[] => {
  if (!isUrlRequired(reason) || server.era !== 'legacy') return [];
  const elicitations = isObject(reason.data) ? reason.data['elicitations'] : undefined;
  if (!Array.isArray(elicitations) || elicitations.length > QUESTION_CAP) return [];
  return elicitations.flatMap((params: unknown) =>
    isObject(params) && typeof params['elicitationId'] === 'string'
      ? [{ id: params['elicitationId'], params: { ...params, mode: 'url' } }]
      : [],
  );
};

/** Emits when a matter is done by the server's word, for as long as it is subscribed. */
const completion = (id: string, notifications$: Observable<RawNotification>): Observable<true> =>
  notifications$.pipe(
    filter(({ method, params }) => method === 'notifications/elicitation/complete' && params?.['elicitationId'] === id),
    map(() => true as const),
  );

/**
 * Answers a refusal with `-32042` by `onElicitUrl`: when a person has agreed to every URL, and each matter is done by
 * the server's notice or by the user's own word, the call is made once more. In every other case, such as more than a
 * hundred of them, the refusal is the error. MCP 2025-11-25 client/elicitation, "URL Elicitation Required Error".
 */
export const whenUrlRequired = <T>(terms: UrlRequiredTerms<T>): MonoTypeOperatorFunction<T> => {
  const { again, answerer, server, notifications$, lost$, inputTimeoutMs, answering } = terms;

  /** Emits true if the matter is done, false if the person would not have it. */
  const settle = ({ id, params }: Matter): Observable<boolean> =>
    defer(() => {
      const done$ = completion(id, notifications$).pipe(shareReplay({ bufferSize: 1, refCount: true }));
      // The notice may come while the person still looks at the page.
      const listening = done$.subscribe({ error: () => undefined });
      const question = { key: id, method: 'elicitation/create', params } as const;
      return put(question, terms).pipe(
        concatMap((outcome) => {
          if (!('result' in outcome)) return of(false);
          if (outcome.result['action'] !== 'accept') return of(false);
          if (outcome.completed === true) return of(true);
          return merge(done$, lost$.pipe(map(() => false))).pipe(take(1));
        }),
        finalize(() => {
          listening.unsubscribe();
        }),
      );
    });

  return (source) =>
    source.pipe(
      catchError((reason: unknown) => {
        const matters = mattersOf(reason, server());
        if (matters.length === 0 || answerer.hooks.onElicitUrl === undefined) return throwError(() => reason);
        const settled$ = together(matters.map(settle));
        const bounded$ =
          inputTimeoutMs === 0 ? settled$ : settled$.pipe(timeout({ first: inputTimeoutMs, with: () => of([false]) }));
        return answering(bounded$).pipe(
          concatMap((done) => (done.every(Boolean) ? again() : throwError(() => reason))),
        );
      }),
    );
};
