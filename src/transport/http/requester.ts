import { BehaviorSubject, concatMap, distinctUntilChanged, map, Observable, of, throwError } from 'rxjs';
import { McpError, NetworkError, OptionError } from '../../errors/index.js';
import { type Part, part, turned } from '../../rx/index.js';
import type { HearFields } from '../sent-fields.js';
import type { Asker } from './asker.js';
import { chooseEngine } from './choose-engine.js';
import { Credentials, isPlain } from './credentials.js';
import type { HttpEngine, HttpRequest, HttpResponse } from './engine.js';
import { checkedHeaders } from './headers.js';
import type { HeaderFields } from './options.js';
import type { CheckedHttp } from './parameters.js';
import { overRefusals } from './refused.js';
import { withoutQuery } from './without-query.js';

const MAX_REDIRECTS = 5;

/** What asks the caller for headers and authorization: many give neither, or plain headers. */
export const askers: Part<typeof import('./asker.js')> = /* @__PURE__ */ part(() => import('./asker.js'));

/**
 * On whose behalf a request is sent: somebody waits for it, and may be asked for an authorization; nobody does; or it is the
 * last of all, and worth no second try.
 */
export type Concern = 'call' | 'background' | 'goodbye';

/** A request before the headers that go with every one. */
export type Draft = Omit<HttpRequest, 'url'> & { readonly url?: string | undefined };

/** Whether a response may be a redirect, of which a browser tells nothing: its status is 0 then. */
const mayLeadOn = ({ status }: HttpResponse): boolean => status === 0 || (status >= 300 && status <= 399);

/** Codes of undici's for a request it cannot make. */
const UNMAKEABLE: ReadonlySet<unknown> = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);

/** Whether a request was refused before it was made, for a header that cannot be sent. */
const isUnmakeable = (reason: unknown): reason is Error =>
  reason instanceof Error &&
  (UNMAKEABLE.has((reason as { code?: unknown }).code) ||
    (reason.name === 'TypeError' && /header|ByteString/i.test(reason.message)));

/**
 * Sends the requests of one connector: with the caller's headers and authorization, within the allowed hosts, following
 * redirects within the origin, and once more after authorization was given. Emits the head of an answer whatever its
 * status; errors with `NetworkError`, `UnauthorizedError`, an `HttpError` for a redirect that is not followed, an
 * `OptionError` for headers that cannot be sent, or a `TransportError` with what the caller's own code raised.
 */
export class Requester {
  readonly http: CheckedHttp;
  /** Who asks, where that is known beforehand. */
  readonly credentials: Credentials;
  #asker: Asker | undefined;
  #engine: HttpEngine | undefined;
  #renewed = 0;
  #hear: HearFields | undefined;
  /** How many requests wait for the provider to renew their authorization. */
  readonly #waiting = new BehaviorSubject(0);

  /** Whether requests wait for an authorization, which a person may have to give; nothing where nobody is asked for any. */
  readonly waits$: Observable<boolean> | undefined;

  constructor(http: CheckedHttp) {
    this.http = http;
    this.credentials = new Credentials(http);
    this.waits$ =
      http.authProvider === undefined
        ? undefined
        : this.#waiting.pipe(
            map((count) => count > 0),
            distinctUntilChanged(),
          );
  }

  /** Whether all that goes with a request is known. */
  get #asksNobody(): boolean {
    return this.http.authProvider === undefined && isPlain(this.http.headers);
  }

  /** How often there was a new authorization so far. */
  get renewed(): number {
    return this.#renewed;
  }

  /**
   * Emits the head of the answer, once.
   * @param call what the request belongs to, where that is more than itself
   */
  send(draft: Draft, concern: Concern = 'call', call?: object): Observable<HttpResponse> {
    // Where nobody need be asked nothing is waited for.
    if (this.#asksNobody) {
      const own = this.http.headers as HeaderFields | undefined;
      return new Observable((subscriber) => this.sendWith(draft, own).subscribe(subscriber));
    }
    return askers.use(({ Asker }) => (this.#asker ??= new Asker(this)).send(draft, concern, call ?? {}));
  }

  /**
   * Sends a request with the caller's fields, and those of an authorization; follows redirects. Emits the head of the answer,
   * whatever its status. Throws an `OptionError` where a field cannot be sent.
   */
  sendWith(
    draft: Draft,
    own: HeaderFields | undefined,
    authorized?: Readonly<Record<string, string>>,
  ): Observable<HttpResponse> {
    const fields = own === undefined ? undefined : checkedHeaders(own);
    if (fields !== undefined) this.credentials.sends(fields);
    const headers =
      fields === undefined && authorized === undefined ? draft.headers : { ...fields, ...draft.headers, ...authorized };
    const { method, url = this.http.url, body, namedBy } = draft;
    return this.#followed({ method, url, headers, body, namedBy }, MAX_REDIRECTS);
  }

  /** Lets somebody hear which fields go out, and where to. */
  letHear(hear: HearFields): void {
    const also = this.#hear;
    this.#hear =
      also === undefined
        ? hear
        : (fields, url) => {
            also(fields, url);
            hear(fields, url);
          };
  }

  /** There is a new authorization. */
  wasRenewed(): void {
    this.#renewed += 1;
  }

  /** So many more requests wait for their authorization, or fewer. */
  waiting(more: number): void {
    this.#waiting.next(this.#waiting.value + more);
  }

  #followed(request: HttpRequest, redirects: number): Observable<HttpResponse> {
    const engine = this.#engine;
    if (engine === undefined) {
      return chooseEngine(this.http.fetch).pipe(
        concatMap((chosen) => {
          this.#engine ??= chosen;
          return this.#followed(request, redirects);
        }),
      );
    }
    this.#hear?.(request.headers, request.url);
    return engine.send(request).pipe(
      turned(
        (response) => this.#answered(request, response, redirects),
        (reason) => this.#failed(request, engine, reason),
      ),
    );
  }

  #answered(request: HttpRequest, response: HttpResponse, redirects: number): HttpResponse | Observable<HttpResponse> {
    if (response.status === 401 && this.#asksNobody)
      return overRefusals(response, ({ unauthorized }) => unauthorized(response));
    if (!mayLeadOn(response)) return response;
    return overRefusals(response, ({ redirected }) => {
      const target = redirected(request, response, this.http, redirects);
      if (target === undefined) return of(response);
      response.discard();
      if (typeof target !== 'string') return throwError(() => target);
      return this.#followed({ ...request, url: target }, redirects - 1);
    });
  }

  #failed({ url }: HttpRequest, engine: HttpEngine, reason: unknown): Observable<never> {
    if (reason instanceof McpError) return throwError(() => reason);
    // A header that cannot be sent is the caller's error, not the network's.
    if (isUnmakeable(reason)) return throwError(() => new OptionError('headers', reason.message));
    return throwError(() => new NetworkError(withoutQuery(url), reason, !engine.neverLeft(reason)));
  }
}
