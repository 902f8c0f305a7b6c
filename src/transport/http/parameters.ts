import { isObservable } from 'rxjs';
import { OptionError } from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import { LONGEST_MS } from '../../rx/index.js';
import type { RetryTerms } from '../transport.js';
import { checkedHeaders } from './headers.js';
import type { FetchLike } from './fetch-like.js';
import type { AuthProvider, HeadersOption, HttpParameters, RetryOptions } from './options.js';

/** The parameters, complete and checked. */
export interface CheckedHttp {
  readonly url: string;
  readonly headers: HeadersOption | undefined;
  readonly fetch: FetchLike | undefined;
  readonly authProvider: AuthProvider | undefined;
  readonly allowedHosts: ReadonlySet<string>;
  readonly redirects: 'same-origin' | 'error';
  readonly retry: RetryTerms;
  readonly keepAliveMs: number;
  readonly maxMessageBytes: number;
}

const MAX_MESSAGE_BYTES = 67_108_864;

const refuse = (option: string, reason: string): never => {
  throw new OptionError(option, reason);
};

const checkedUrl = (url: unknown): URL => {
  const text = url instanceof URL ? url.href : url;
  if (typeof text !== 'string' || text === '') return refuse('url', 'give the URL of an MCP endpoint');
  // Without a scheme it cannot be read, or its host is taken for one.
  if (!text.includes('://')) return refuse('url', 'give the URL of an MCP endpoint: did you forget http://?');
  if (!URL.canParse(text)) return refuse('url', 'give the URL of an MCP endpoint');
  const parsed = new URL(text);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return refuse('url', 'give an http: or https: URL');
  if (parsed.username !== '' || parsed.password !== '') {
    return refuse('url', 'a URL carries no credentials: give them in headers or by an authProvider');
  }
  parsed.hash = '';
  return parsed;
};

const checkedNumber = (option: string, value: number | undefined, least: number, otherwise: number): number => {
  if (value === undefined) return otherwise;
  if (typeof value !== 'number' || !(value >= least && value <= LONGEST_MS))
    refuse(option, `give a number, at least ${least}`);
  return value;
};

const RETRY_OPTIONS: ReadonlySet<string> = new Set(['attempts', 'firstDelayMs', 'maxDelayMs']);

const checkedRetry = (retry: RetryOptions = {}): RetryTerms => {
  if (!isObject(retry)) refuse('retry', 'give an object');
  const unknown = Object.keys(retry).find((name) => !RETRY_OPTIONS.has(name));
  if (unknown !== undefined) refuse(`retry.${unknown}`, 'there is no such option');
  const attempts = checkedNumber('retry.attempts', retry.attempts, 0, 3);
  if (!Number.isInteger(attempts)) refuse('retry.attempts', 'give a whole number');
  return {
    attempts,
    firstMs: checkedNumber('retry.firstDelayMs', retry.firstDelayMs, 0, 500),
    maxMs: checkedNumber('retry.maxDelayMs', retry.maxDelayMs, 0, 30_000),
  };
};

/** Checks parameters and completes them. Throws an `OptionError` that names the one that cannot be used. */
export const checkHttp = (parameters: HttpParameters): CheckedHttp => {
  const { headers, fetch, authProvider, allowedHosts, redirects = 'same-origin' } = parameters;
  const url = checkedUrl(parameters.url);
  if (headers !== undefined && typeof headers !== 'function' && !isObservable(headers)) checkedHeaders(headers);
  if (fetch !== undefined && typeof fetch !== 'function') refuse('fetch', 'give a function');
  if (
    authProvider !== undefined &&
    // A caller without types may give anything.
    (typeof (authProvider as AuthProvider | null)?.token !== 'function' ||
      typeof authProvider.onUnauthorized !== 'function')
  ) {
    refuse('authProvider', 'give an object with token and onUnauthorized');
  }
  if (redirects !== 'same-origin' && redirects !== 'error') refuse('redirects', "give 'same-origin' or 'error'");
  if (
    allowedHosts !== undefined &&
    !(Array.isArray(allowedHosts) && allowedHosts.every((host) => typeof host === 'string'))
  )
    refuse('allowedHosts', 'give a list of hosts');
  const hosts = new Set(allowedHosts ?? [url.host]);
  if (!hosts.has(url.host)) refuse('allowedHosts', `${JSON.stringify(url.host)}, the host of url, is not among them`);
  return {
    url: url.href,
    headers,
    fetch,
    authProvider,
    allowedHosts: hosts,
    redirects,
    retry: checkedRetry(parameters.retry),
    keepAliveMs: checkedNumber('keepAliveMs', parameters.keepAliveMs, 0, 0),
    maxMessageBytes: checkedNumber('maxMessageBytes', parameters.maxMessageBytes, 1, MAX_MESSAGE_BYTES),
  };
};
