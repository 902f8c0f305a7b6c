import type { Subscriber } from 'rxjs';
import { HttpError, type UnsentError } from '../../errors/index.js';
import type { Sends } from './sends.js';
import { Unheard } from './unheard.js';

/**
 * The end of a wire whose server knows nothing of it any longer. It takes nothing new from the first such refusal on. What
 * the server has said nothing of yet may hear that it was refused unread, too; everything else fails at once.
 */
export class Forgetting {
  readonly #url: string;
  readonly #sends: Sends;
  readonly #end: (reason: HttpError) => void;
  readonly #unheard = new Unheard<Subscriber<never>>();

  /**
   * @param url the server, without its query
   * @param end what ends the wire, once everything has heard of it
   */
  constructor(url: string, sends: Sends, end: (reason: HttpError) => void) {
    this.#url = url;
    this.#sends = sends;
    this.#end = end;
  }

  /** A request that could be refused so. */
  sent(subscriber: Subscriber<never>): void {
    this.#unheard.add(subscriber);
  }

  /** The server has said something of it, or nobody wants to know any longer. */
  heard(subscriber: Subscriber<never>): void {
    this.#unheard.delete(subscriber);
  }

  /** The server has forgotten the wire: `unread` is the request it refused, if it was one. */
  begin(unread?: { readonly subscriber: Subscriber<never>; readonly reason: UnsentError }): void {
    const why = unread?.reason.message ?? 'the server has forgotten the session';
    const reason = new HttpError(404, 'Not Found', '', undefined, this.#url, why);
    this.#sends.refuse();
    unread?.subscriber.error(unread.reason);
    this.#sends.end(reason, (subscriber) => this.#unheard.has(subscriber));
    this.#unheard.settle(() => {
      this.#end(reason);
    });
  }

  /** The wire has ended: nothing is waited for any longer. */
  close(): void {
    this.#unheard.close();
  }
}
