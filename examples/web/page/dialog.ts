import { debounceTime, fromEvent, Observable, startWith, take } from 'rxjs';
import type { ServerDescription } from 'rx-mcp';
import { freshId, h } from './dom.js';
import { inTurn } from './in-turn.js';
import { clipped, nameOf, textOr } from './words.js';

/** What a dialog says, and the words of its buttons. */
export interface DialogParts {
  readonly server: ServerDescription;
  /** Where the server was reached: it may call itself anything. */
  readonly url: string;
  readonly message: string;
  readonly body: readonly HTMLElement[];
  readonly accept: string;
}

/** How long nobody may have typed, in ms, before a question can be accepted. */
const QUIET_MS = 500;

/** What a person decided. */
export type Decision = 'accept' | 'decline' | 'cancel';

/**
 * Asks a person, one question after another. Subscribing opens the dialog, with the focus on its heading; emits once, and
 * completes, when something was decided; the focus goes back to where it was. Unsubscribing withdraws the question.
 *
 * A question comes when a server likes, maybe amid a word that somebody types elsewhere. So no key does anything where the
 * focus is at first, and nothing can be accepted before the hands were off the keys.
 */
export const dialog = ({ server, url, message, body, accept }: DialogParts): Observable<Decision> =>
  inTurn(
    new Observable((subscriber) => {
      const id = freshId();
      const decline = h('button', { type: 'button' }, 'Decline');
      const cancel = h('button', { type: 'button' }, 'Cancel');
      const name = clipped(nameOf(server) ?? 'A server without a name', 100);
      const heading = h('h2', { id, tabindex: -1 }, h('bdi', {}, name), ' asks');
      // A form whose button is disabled is not sent by Enter, either.
      const accepting = h('button', { type: 'submit', class: 'accept', disabled: true }, accept);
      const decide = (decision: Decision) => (event: Event) => {
        event.preventDefault();
        subscriber.next(decision);
        subscriber.complete();
      };
      const form = h('form', { method: 'dialog' });
      // Before its fields are in it: a field hides the method of the form that has its name.
      form.addEventListener('submit', decide('accept'));
      form.append(
        heading,
        h('p', { class: 'note' }, `It was reached at ${url}.`),
        h('p', { id: `${id}-message`, class: 'message', dir: 'auto' }, clipped(textOr(message, ''), 10_000)),
        ...body,
        h('div', { class: 'buttons' }, accepting, decline, cancel),
      );
      const shown = h('dialog', { 'aria-labelledby': id, 'aria-describedby': `${id}-message` }, form);
      decline.addEventListener('click', decide('decline'));
      cancel.addEventListener('click', decide('cancel'));
      // Escape.
      shown.addEventListener('cancel', decide('cancel'));
      document.body.append(shown);
      shown.showModal();
      heading.focus();
      const quiet$ = fromEvent(document, 'keydown', { capture: true }).pipe(
        startWith(0),
        debounceTime(QUIET_MS),
        take(1),
      );
      subscriber.add(quiet$.subscribe({ next: () => (accepting.disabled = false), error: console.error }));
      return () => {
        shown.close();
        shown.remove();
      };
    }),
  );
