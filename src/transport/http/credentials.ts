import { isObservable } from 'rxjs';
import { checkedHeaders } from './headers.js';
import type { HeaderFields, HeadersOption } from './options.js';
import type { CheckedHttp } from './parameters.js';

/** Fields that are there, and need not be asked for. */
export const isPlain = (option: HeadersOption | undefined): option is HeaderFields | undefined =>
  typeof option !== 'function' && !isObservable(option);

/** Whether a page asks where it comes from: there the browser adds what it knows, such as cookies. WHATWG Fetch, "credentials". */
const isOfPage = (url: string): boolean =>
  (globalThis as { readonly location?: Location }).location?.origin === new URL(url).origin;

const textOf = (fields: Readonly<Record<string, string>>): string => JSON.stringify(Object.entries(fields).sort());

/**
 * Who asks, as far as the caller's header fields say all of it beforehand: there is no authorization that is asked for, and
 * nobody else who may add some. An object of fields may be changed by whoever gave it: from then on it says nothing.
 */
export class Credentials {
  readonly #http: CheckedHttp;
  #first: string | undefined;
  #changed = false;

  constructor(http: CheckedHttp) {
    this.#http = http;
  }

  /** The same text for the same fields, in whatever order they were given; all of them may be secret. */
  get text(): string | undefined {
    const { authProvider, headers, fetch, url } = this.#http;
    if (authProvider !== undefined || !isPlain(headers) || fetch !== undefined || isOfPage(url)) return undefined;
    if (!this.#changed) this.#look(headers);
    return this.#changed ? undefined : this.#first;
  }

  /** Fields go out. Nobody is interested before somebody has asked for the text. */
  sends(fields: Readonly<Record<string, string>>): void {
    if (this.#first !== undefined && this.#first !== textOf(fields)) this.#changed = true;
  }

  #look(headers: HeaderFields | undefined): void {
    try {
      const fields = headers === undefined ? {} : checkedHeaders(headers);
      this.#first ??= textOf(fields);
      this.sends(fields);
    } catch {
      // They were changed to what cannot be sent, as the next request says.
      this.#changed = true;
    }
  }
}
