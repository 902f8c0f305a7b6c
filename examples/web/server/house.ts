import { BehaviorSubject, Subject } from 'rxjs';

/** What outlives the requests and the sessions of the demo's server, and is the same behind both of its URLs. */
export class House {
  /** Whether the annex is open: there is a tool more then. */
  readonly annexOpen$ = new BehaviorSubject(false);
  /** How long the server is to be away, in ms: it breaks every connection and comes back later. */
  readonly leaving$ = new Subject<number>();
  /** Where its pages are, for those it sends there. */
  origin = 'http://127.0.0.1';
}
