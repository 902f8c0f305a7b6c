import { isObservable } from 'rxjs';
import { checkedHeaders } from './headers.js';
import type { HeaderFields, HeadersOption } from './options.js';
import type { CheckedHttp } from './parameters.js';

/** Fields that are there, and need not be asked for. */
export const isPlain = (option: HeadersOption | undefined): option is HeaderFields | undefined =>
  typeof option !== 'function' && !isObservable(option);

/**
 * Who asks, as far as the caller's header fields say all of it beforehand: there is no authorization that is asked for, and
 * no fetch of the caller's own that may add some. An object of fields may be changed by who gave it: then it says nothing.
 */
export class Credentials {
  readonly #http: CheckedHttp;
  #first: string | undefined;
  #changed = false;

  constructor(http: CheckedHttp) {
    this.#http = http;
  }

  /** All of them, since any may say who asks. Throws an `OptionError` where one was changed to what cannot be sent. */
  get fields(): Readonly<Record<string, string>> | undefined {
    const { authProvider, headers, fetch } = this.#http;
    if (authProvider !== undefined || !isPlain(headers) || fetch !== undefined) return undefined;
    const fields = headers === undefined ? {} : checkedHeaders(headers);
    this.#first ??= JSON.stringify(fields);
    this.sends(fields);
    return this.#changed ? undefined : fields;
  }

  /** Fields go out. Nobody is interested before somebody has asked for them. */
  sends(fields: Readonly<Record<string, string>>): void {
    if (this.#first !== undefined && this.#first !== JSON.stringify(fields)) this.#changed = true;
  }
}
