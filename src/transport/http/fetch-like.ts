/** The answer of a {@link FetchLike}: what is read of a `Response`. WHATWG Fetch. */
export interface FetchResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: { get(name: string): string | null };
  /** A `ReadableStream` of bytes, or nothing. */
  readonly body: {
    getReader(): {
      read(): PromiseLike<{ readonly done: boolean; readonly value?: unknown }>;
      cancel(): PromiseLike<unknown>;
    };
    cancel(): PromiseLike<unknown>;
  } | null;
}

/**
 * What sends requests: the platform's `fetch`, that of undici, or one that hands on to either. It is called with all there
 * is to a request and nothing else; `redirect` is always `'manual'`, and `signal` is aborted where nobody waits any longer.
 */
export type FetchLike = (
  url: string,
  init: {
    readonly method: 'GET' | 'POST' | 'DELETE';
    readonly headers: Record<string, string>;
    readonly body: string | null;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => PromiseLike<FetchResponse>;
