import { EMPTY, type Observable, Subject } from 'rxjs';
import type { Inbound, Outbound } from '../../src/jsonrpc/index.js';
import type { SendHints, Transport } from '../../src/transport/index.js';

/** A wire worked by hand: what is sent is kept, and what comes in is put into `inbox`. */
export class HandTransport implements Transport {
  readonly inbox = new Subject<Inbound>();
  readonly sent: Outbound[] = [];
  readonly hints: (SendHints | undefined)[] = [];
  readonly inbound$: Observable<Inbound> = this.inbox;
  readonly mirrorsHeaders = false;
  readonly stderr$: Observable<string> | undefined;
  cancelBy: 'notice' | 'hang-up' = 'notice';
  alive = true;
  closed = 0;
  /** What becomes of a message once it is written. */
  delivering: (message: Outbound) => Observable<never> = () => EMPTY;

  constructor(stderr$?: Observable<string>) {
    this.stderr$ = stderr$;
  }

  send(message: Outbound, hints?: SendHints): Observable<never> {
    this.sent.push(message);
    this.hints.push(hints);
    return this.delivering(message);
  }

  close(): Promise<void> {
    this.alive = false;
    this.closed += 1;
    this.inbox.complete();
    return Promise.resolve();
  }
}
