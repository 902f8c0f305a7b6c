import {
  catchError,
  connect,
  defer,
  EMPTY,
  endWith,
  finalize,
  fromEvent,
  ignoreElements,
  interval,
  merge,
  type Observable,
  takeUntil,
  tap,
} from 'rxjs';
import type { CallEvent, CallToolResult } from 'rx-mcp';
import { announce } from './announce.js';
import { h } from './dom.js';
import { ProgressBar } from './progress-bar.js';
import { resultOf } from './result.js';

type Status = 'running' | 'done' | 'failed' | 'cancelled' | 'lost';

/** One call: how far it is, what it says, how long it takes, and what came of it. */
export class CallCard {
  readonly element: HTMLElement;
  readonly #title: string;
  readonly #heading: HTMLElement;
  readonly #status = h('strong', { class: 'status' }, 'running');
  readonly #elapsed = h('span', { class: 'elapsed', 'aria-label': 'Elapsed time' }, '0.0 s');
  readonly #cancel: HTMLButtonElement;
  readonly #bar: ProgressBar;
  readonly #logs: HTMLElement;
  readonly #result = h('div', { class: 'result' });
  #hasBar = false;

  /** @param url where the server is that was called */
  constructor(title: string, args: Readonly<Record<string, unknown>>, url: string) {
    this.#title = title;
    this.#heading = h('h3', { tabindex: -1 }, title);
    this.#cancel = h('button', { type: 'button' }, 'Cancel', h('span', { class: 'unseen' }, ` ${title}`));
    this.#bar = new ProgressBar(`Progress of ${title}`);
    this.#logs = h('ol', { class: 'logs', 'aria-label': `Log of ${title}`, hidden: true });
    this.element = h(
      'article',
      { class: 'card', 'aria-label': title, 'data-status': 'running' },
      h('header', {}, this.#heading, this.#status, this.#elapsed, this.#cancel),
      h('small', { class: 'server' }, `at ${url.replace(/^https?:\/\//, '')}`),
      h('code', { class: 'args' }, JSON.stringify(args)),
      this.#logs,
      this.#result,
    );
  }

  /** Subscribing makes the call and shows what happens to it; unsubscribing gives it up, and so does the button. */
  run(call$: Observable<CallEvent<CallToolResult>>): Observable<never> {
    return defer(() => {
      const begun = performance.now();
      const tick = (): void => {
        this.#elapsed.textContent = `${((performance.now() - begun) / 1_000).toFixed(1)} s`;
      };
      return call$.pipe(
        tap((event) => this.#show(event)),
        catchError((reason: unknown) => {
          this.#end('lost');
          this.#result.append(h('p', { class: 'error' }, reason instanceof Error ? reason.message : String(reason)));
          return EMPTY;
        }),
        takeUntil(fromEvent(this.#cancel, 'click')),
        // The clock of the card stops with its call.
        connect((shown$) =>
          merge(shown$, interval(100).pipe(tap(tick), takeUntil(shown$.pipe(ignoreElements(), endWith('over'))))),
        ),
        ignoreElements(),
        finalize(() => {
          tick();
          this.#end('cancelled');
        }),
      );
    });
  }

  #show(event: CallEvent<CallToolResult>): void {
    if (event.kind === 'progress') {
      if (!this.#hasBar) this.#logs.before(this.#bar.element);
      this.#hasBar = true;
      this.#bar.show(event.progress, event.total, event.message);
    } else if (event.kind === 'log') {
      this.#log(event.level, typeof event.data === 'string' ? event.data : JSON.stringify(event.data));
    } else if (event.kind === 'input') {
      const answer =
        event.answer === undefined ? 'asks' : `was answered: ${JSON.stringify(event.answer['action'] ?? 'yes')}`;
      this.#log('question', `${event.method} ${answer}`);
    } else {
      this.#end(event.result.isError === true ? 'failed' : 'done');
      this.#result.append(...resultOf(event.result));
    }
  }

  #log(level: string, words: string): void {
    this.#logs.hidden = false;
    this.#logs.append(h('li', { 'data-level': level }, h('b', {}, level), ` ${words}`));
    this.#logs.scrollTop = this.#logs.scrollHeight;
  }

  #end(status: Status): void {
    if (this.element.dataset['status'] !== 'running') return;
    this.element.dataset['status'] = status;
    this.#status.textContent = status;
    announce(`${this.#title}: ${status}`);
    // Whoever stood on the button is not left nowhere.
    if (document.activeElement === this.#cancel) this.#heading.focus();
    this.#cancel.remove();
  }
}
