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
import { KEPT_LINES, type Line, LogLines } from './log-lines.js';
import { perFrame } from './per-frame.js';
import { ProgressBar } from './progress-bar.js';
import { resultOf } from './result.js';
import { clipped } from './words.js';

type Event = CallEvent<CallToolResult>;

/** What goes into the log, if an event does. */
const lineOf = (event: Event): Line | undefined => {
  if (event.kind === 'log') {
    return {
      level: event.level,
      words: typeof event.data === 'string' ? event.data : String(JSON.stringify(event.data)),
    };
  }
  if (event.kind !== 'input') return undefined;
  const { answer, method } = event;
  const words = answer === undefined ? 'asks' : `was answered: ${JSON.stringify(answer['action'] ?? 'yes')}`;
  return { level: 'question', words: `${method} ${words}` };
};

type Status = 'running' | 'done' | 'failed' | 'cancelled' | 'lost';

/** One call: how far it is, what it says, how long it takes, and what came of it. */
export class CallCard {
  readonly element: HTMLElement;
  readonly #title: string;
  readonly #heading: HTMLElement;
  readonly #status = h('strong', { class: 'status' }, 'running');
  readonly #elapsed = h('span', { class: 'elapsed', role: 'timer', 'aria-label': 'Elapsed time' }, '0.0 s');
  readonly #cancel: HTMLButtonElement;
  readonly #bar: ProgressBar;
  readonly #logs: LogLines;
  readonly #result = h('div', { class: 'result' });
  #hasBar = false;

  /** @param url where the server is that was called */
  constructor(title: string, args: Readonly<Record<string, unknown>>, url: string) {
    this.#title = title;
    this.#heading = h('h3', { tabindex: -1 }, title);
    this.#cancel = h('button', { type: 'button' }, 'Cancel', h('span', { class: 'unseen' }, ` ${title}`));
    this.#bar = new ProgressBar(`Progress of ${title}`);
    this.#logs = new LogLines(`Log of ${title}`);
    this.element = h(
      'article',
      { class: 'card', 'aria-label': title, 'data-status': 'running' },
      h('header', {}, this.#heading, this.#status, this.#elapsed, this.#cancel),
      h('small', { class: 'server' }, `at ${url.replace(/^https?:\/\//, '')}`),
      h('code', { class: 'args' }, clipped(JSON.stringify(args), 2_000)),
      this.#logs.element,
      this.#result,
    );
  }

  /** Subscribing makes the call and shows what happens to it; unsubscribing gives it up, and so does the button. */
  run(call$: Observable<Event>): Observable<never> {
    return defer(() => {
      const begun = performance.now();
      const tick = (): void => {
        this.#elapsed.textContent = `${((performance.now() - begun) / 1_000).toFixed(1)} s`;
      };
      return call$.pipe(
        perFrame(KEPT_LINES),
        tap(({ last, count }) => this.#showAll(last, count)),
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

  /** @param count how many events there were, of which the last are given */
  #showAll(events: readonly Event[], count: number): void {
    this.#logs.add(
      events.flatMap((event) => lineOf(event) ?? []),
      count > events.length,
    );
    const progress = events.findLast((event) => event.kind === 'progress');
    if (progress?.kind === 'progress') {
      if (!this.#hasBar) this.#logs.element.before(this.#bar.element);
      this.#hasBar = true;
      this.#bar.show(progress.progress, progress.total, progress.message);
    }
    const end = events.at(-1);
    if (end?.kind !== 'result') return;
    this.#result.append(...resultOf(end.result));
    this.#end(end.result.isError === true ? 'failed' : 'done');
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
