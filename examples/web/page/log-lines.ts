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
  readonly #note = h('p', { class: 'note', hidden: true });
  readonly #list: HTMLElement;
  #count = 0;

  constructor(label: string) {
    // What scrolls can be reached by the keyboard.
    this.#list = h('ol', { class: 'logs', 'aria-label': label, tabindex: 0 });
    this.element = h('div', { hidden: true }, this.#note, this.#list);
  }

  /** @param count how many lines there were, of which the last are given */
  add(lines: readonly Line[], count = lines.length): void {
    if (lines.length === 0) return;
    this.#count += count;
    this.element.hidden = false;
    this.#list.append(
      ...lines.map(({ level, words }) =>
        h('li', { 'data-level': level, dir: 'auto' }, h('b', {}, level), ` ${clipped(words, LONGEST)}`),
      ),
    );
    while (this.#list.childElementCount > KEPT_LINES) this.#list.firstElementChild?.remove();
    this.#note.hidden = this.#count <= KEPT_LINES;
    this.#note.textContent = `${this.#count} lines, of which the last ${KEPT_LINES} are here`;
    this.#list.scrollTop = this.#list.scrollHeight;
  }
}
