import { attributes, h } from './dom.js';

/** A bar that says how far something is; without a total it only says that something goes on. */
export class ProgressBar {
  readonly element: HTMLElement;
  readonly #fill = h('div', { class: 'fill' });
  readonly #words = h('p', { class: 'note' });

  constructor(label: string) {
    const bar = h('div', { class: 'bar', role: 'progressbar', 'aria-label': label, 'aria-valuemin': 0 }, this.#fill);
    this.element = h('div', {}, bar, this.#words);
  }

  /** As it was reported. */
  show(progress: number, total: number | undefined, message = ''): void {
    const bar = this.#fill.parentElement;
    if (bar === null) return;
    const words = message === '' ? `${progress}${total === undefined ? '' : ` of ${total}`}` : message;
    bar.classList.toggle('endless', total === undefined);
    attributes(bar, { 'aria-valuenow': total && progress, 'aria-valuemax': total, 'aria-valuetext': words });
    this.#fill.style.setProperty('inline-size', total ? `${Math.min(100, (progress / total) * 100)}%` : '100%');
    this.#words.textContent = words;
  }
}
