import { type Observable, Subject } from 'rxjs';

/**
 * One hot stream without replay, which costs nothing until somebody looks at it: a client has many, and most clients
 * are never listened to.
 */
export class Channel<T> {
  #subject: Subject<T> | undefined;
  #values$: Observable<T> | undefined;
  #closed = false;

  /** Emits what is put in while it is subscribed to. Completes at {@link close}, and at once after it. Never errors. */
  get values$(): Observable<T> {
    if (this.#values$ === undefined) {
      this.#subject = new Subject<T>();
      if (this.#closed) this.#subject.complete();
      this.#values$ = this.#subject.asObservable();
    }
    return this.#values$;
  }

  /** True while somebody is subscribed. */
  get observed(): boolean {
    return this.#subject?.observed === true;
  }

  /** Hands a value to all who are subscribed. */
  next(value: T): void {
    this.#subject?.next(value);
  }

  /** Completes the stream. Idempotent. */
  close(): void {
    this.#closed = true;
    this.#subject?.complete();
  }
}
