import type { Observable } from 'rxjs';

/** One HTTP request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /**
   * The host on whose word this one is asked. An engine that looks names up connects to no private address then, unless that
   * host is on one, too; the error has the code `ERR_PRIVATE_ADDRESS`.
   */
  readonly namedBy?: string | undefined;
}

/** The head of an answer, and its body. One of `body$` and `discard` is to be used, once. */
export interface HttpResponse {
  /** What was asked: the URL of the request. */
  readonly url: string;
  /** The header fields of the request: a server may repeat them, and some of them are secret. */
  readonly sent?: Readonly<Record<string, string>> | undefined;
  readonly status: number;
  readonly statusText: string;
  /** The value of a header field, whatever the case of its name. */
  header(name: string): string | undefined;
  /** The bytes of the body. Cold, for one subscriber; errors where the connection breaks; unsubscribing hangs up. */
  readonly body$: Observable<Uint8Array>;
  /** Lets go of a body nobody wants. */
  discard(): void;
}

/**
 * Sends HTTP requests. Redirects are not followed, and no clock runs. `send` is cold: it emits the head of the answer
 * once and completes; errors with whatever the network raises; unsubscribing before the head has come hangs up.
 */
export interface HttpEngine {
  send(request: HttpRequest): Observable<HttpResponse>;
  /** Whether an error of `send` says that the request cannot have reached the server. */
  neverLeft(error: unknown): boolean;
}

/** What a module behind `#http-engine` exports. */
export interface EngineModule {
  readonly createEngine: () => HttpEngine;
}
