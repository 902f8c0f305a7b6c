import { Observable, Subject, type Subscriber } from 'rxjs';
import type { HttpResponse } from '../../../src/transport/http/engine.js';
import type { HttpParameters } from '../../../src/transport/http/options.js';
import type { Concern, Draft, Requester } from '../../../src/transport/http/requester.js';
import { bytes, checked, type MadeResponse, madeResponse } from './responses.js';

/** One request, while it waits for its answer. */
export interface Exchange {
  readonly draft: Draft;
  /** The JSON-RPC message in it. */
  readonly message: Readonly<Record<string, unknown>>;
  /** On whose behalf it was sent. */
  readonly concern: Concern;
  /** The call that it is part of, where that was said. */
  readonly call: object | undefined;
  /** False once it was answered, failed, or given up. */
  readonly waits: boolean;
  answer(response: HttpResponse): void;
  fail(reason: unknown): void;
}

/** The requests of a transport, each to be answered by hand and in one's own time; all is synchronous. */
export interface ScriptedRequester {
  readonly requester: Requester;
  readonly exchanges: readonly Exchange[];
  /** The last request, or the last of one HTTP method. */
  last(method?: Draft['method']): Exchange;
  /** There is a new authorization. */
  renew(): void;
}

/** Requests that `answer` answers at once, or leaves to the spec by answering nothing. */
export const scriptedRequester = (
  parameters: Partial<HttpParameters> = {},
  answer: (exchange: Exchange) => HttpResponse | undefined = () => undefined,
): ScriptedRequester => {
  const exchanges: Exchange[] = [];
  let renewed = 0;
  const send = (draft: Draft, concern: Concern = 'call', call?: object): Observable<HttpResponse> =>
    new Observable((subscriber: Subscriber<HttpResponse>) => {
      const exchange: Exchange = {
        draft,
        concern,
        call,
        message: draft.body === undefined ? {} : (JSON.parse(draft.body) as Record<string, unknown>),
        get waits() {
          return !subscriber.closed;
        },
        answer: (response) => {
          subscriber.next(response);
          subscriber.complete();
        },
        fail: (reason) => {
          subscriber.error(reason);
        },
      };
      exchanges.push(exchange);
      const response = answer(exchange);
      if (response !== undefined) exchange.answer(response);
    });
  return {
    requester: {
      http: checked(parameters),
      send,
      get renewed() {
        return renewed;
      },
    } as unknown as Requester,
    exchanges,
    renew: () => {
      renewed += 1;
    },
    last: (method) => {
      const found = exchanges.filter(({ draft }) => method === undefined || draft.method === method).at(-1);
      if (found === undefined) throw new Error('there is no such request');
      return found;
    },
  };
};

/** A response whose body comes by hand. */
export interface HandResponse {
  readonly response: MadeResponse;
  /** Whether somebody reads it. */
  readonly isRead: boolean;
  push(...texts: readonly string[]): void;
  end(): void;
  fail(reason: unknown): void;
}

/** Makes a response whose body comes by hand; by default an event stream. */
export const handResponse = (
  headers: Readonly<Record<string, string>> = { 'content-type': 'text/event-stream' },
  status = 200,
): HandResponse => {
  const body$ = new Subject<Uint8Array>();
  return {
    response: madeResponse(status, headers, body$),
    get isRead() {
      return body$.observed;
    },
    push: (...texts) => {
      for (const text of texts) body$.next(bytes(text));
    },
    end: () => {
      body$.complete();
    },
    fail: (reason) => {
      body$.error(reason);
    },
  };
};
