import { asyncScheduler, defer, type Observable } from 'rxjs';
import type { HttpResponse } from './engine.js';
import { byteString } from './header-value.js';
import type { LegacySession } from './legacy-session.js';
import type { CheckedHttp } from './parameters.js';
import type { Concern, Requester } from './requester.js';
import type { Resumption } from './resumable.js';

/** By whom a stream is asked for, in which session, and for whom. */
export interface Asking {
  readonly requester: Requester;
  readonly session: LegacySession;
  readonly concern: Concern;
}

/** How a stream of the legacy era is taken up again. A class and few closures: there is one for each call. */
export class LegacyResumption implements Resumption {
  readonly #asking: Asking;
  readonly done: () => boolean;
  readonly anew: boolean;
  readonly insists: ((reason: unknown) => boolean) | undefined;

  /** @param done whether the stream has brought all it was to bring */
  constructor(asking: Asking, done: () => boolean, { anew, insists }: Pick<Resumption, 'anew' | 'insists'>) {
    this.#asking = asking;
    this.done = done;
    this.anew = anew;
    this.insists = insists;
  }

  get http(): CheckedHttp {
    return this.#asking.requester.http;
  }

  /** By GET, with the id of the event to go on behind. */
  get(lastEventId: string | undefined): Observable<HttpResponse> {
    const { requester, session, concern } = this.#asking;
    return defer(() => {
      const { 'content-type': _, ...headers } = session.headers(undefined);
      const mark = lastEventId === undefined ? undefined : { 'last-event-id': byteString(lastEventId) };
      return requester.send({ method: 'GET', headers: { ...headers, accept: 'text/event-stream', ...mark } }, concern);
    });
  }

  now(): number {
    return asyncScheduler.now();
  }
}
