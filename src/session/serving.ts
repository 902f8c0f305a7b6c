import { EMPTY, type Subscription } from 'rxjs';
import { reasonText } from '../errors/index.js';
import type { JsonRpcRequest, RequestId } from '../jsonrpc/index.js';
import { type Part, part } from '../rx/index.js';
import type { Channels } from './channels.js';
import type { RequestHandler, Responder, Writer } from './serve.js';

/** What answers the requests of servers: those of the modern era make none. */
export const responders: Part<typeof import('./serve.js')> = /* @__PURE__ */ part(() => import('./serve.js'));

/** How much waits for it while it is loaded; what is more is dropped. */
const EARLY = 1_000;

/** Hands the requests of a server to what answers them, in their order, which is loaded with the first. See {@link Responder}. */
export class Serving {
  /** False as soon as the server is known to be modern. */
  answers = true;
  readonly #handlers: ReadonlyMap<string, RequestHandler>;
  readonly #writer: Writer;
  readonly #channels: Channels;
  #responder: Responder | undefined;
  #loading: Subscription | undefined;
  #early: ((responder: Responder) => void)[] = [];

  constructor(handlers: ReadonlyMap<string, RequestHandler>, writer: Writer, channels: Channels) {
    this.#handlers = handlers;
    this.#writer = writer;
    this.#channels = channels;
  }

  /** @param channel the request of ours on whose own channel it came, where there is such a thing */
  serve(request: JsonRpcRequest, channel?: RequestId): void {
    this.#hand((responder) => {
      responder.serve(request, channel);
    });
  }

  /** The server withdrew a request. Where it has made none there is nothing to withdraw. */
  withdraw(id: unknown): void {
    if (this.#responder === undefined && this.#early.length === 0) return;
    this.#hand((responder) => {
      responder.withdraw(id);
    });
  }

  close(): void {
    this.#loading?.unsubscribe();
    this.#early = [];
    this.#responder?.close();
  }

  #hand(work: (responder: Responder) => void): void {
    if (this.#responder !== undefined) {
      this.#responder.answers = this.answers;
      work(this.#responder);
      return;
    }
    if (this.#early.length < EARLY) this.#early.push(work);
    if (this.#early.length === 1) this.#load();
  }

  #load(): void {
    this.#loading = responders
      .use(({ Responder: Made }) => {
        this.#responder = new Made(this.#handlers, this.#writer, this.#channels);
        const early = this.#early;
        this.#early = [];
        for (const work of early) this.#hand(work);
        return EMPTY;
      })
      .subscribe({
        error: (reason: unknown) => {
          this.#early = [];
          this.#channels.warn('housekeeping', `a request of the server is not answered: ${reasonText(reason)}`, reason);
        },
      });
  }
}
