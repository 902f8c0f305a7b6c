import { h } from './dom.js';
import { clipped } from './words.js';

/** How many lines of a log are kept. */
export const KEPT_LINES = 500;

/** How much of one line is shown, in characters. */
const LONGEST = 2_000;

/** One line of a log. */
export interface Line {
  readonly level: string;
  readonly words: string;
}

/** The last lines of a log, which says where there were more. */
export class LogLines {
  readonly element: HTMLElement;
  readonly #note = h('p', { class: 'note', hidden: true }, 'Earlier lines are left out.');
  readonly #list: HTMLElement;

  constructor(label: string) {
    // What scrolls can be reached by the keyboard.
    this.#list = h('ol', { class: 'logs', 'aria-label': label, tabindex: 0 });
    this.element = h('div', { hidden: true }, this.#note, this.#list);
  }

  /** @param isCut whether these are the last of more */
  add(lines: readonly Line[], isCut: boolean): void {
    if (lines.length === 0) return;
    this.element.hidden = false;
    this.#list.append(
      ...lines.map(({ level, words }) =>
        h('li', { 'data-level': level, dir: 'auto' }, h('b', {}, level), ` ${clipped(words, LONGEST)}`),
      ),
    );
    if (isCut || this.#list.childElementCount > KEPT_LINES) this.#note.hidden = false;
    while (this.#list.childElementCount > KEPT_LINES) this.#list.firstElementChild?.remove();
    this.#list.scrollTop = this.#list.scrollHeight;
  }
}
