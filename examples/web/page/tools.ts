import {
  catchError,
  finalize,
  fromEvent,
  ignoreElements,
  type Observable,
  retry,
  Subject,
  take,
  tap,
  throwError,
} from 'rxjs';
import { type McpClient, NetworkError, type Tool } from 'rx-mcp';
import { announce } from './announce.js';
import type { Wanted } from './calls.js';
import { byId, h } from './dom.js';
import { arrange, replace } from './in-place.js';
import { toolItem } from './tool-item.js';

const place = byId('tools');

/** Follows the tools of a server. `wanted` hears of each call that somebody wants made. */
export class ToolList {
  readonly #wanted = new Subject<Wanted>();
  readonly #items = new Map<string, { readonly text: string; readonly item: HTMLElement }>();
  readonly #list = h('ul', { class: 'tools', 'aria-label': 'Tools of the server' });
  readonly #count = h('p', { class: 'note' });

  /** The calls that somebody wants made. */
  readonly wanted$: Observable<Wanted> = this.#wanted.asObservable();

  /** Subscribing shows the list and keeps it as it is; unsubscribing takes it away. */
  follow({ tools$ }: McpClient): Observable<never> {
    place.replaceChildren(h('p', { class: 'note' }, 'Asking the server …'));
    return tools$.pipe(
      tap((tools) => this.#show(tools)),
      catchError((reason: unknown) => throwError(() => this.#failed(reason))),
      // Whoever connected must say when to try again.
      retry({ delay: (again: unknown) => fromEvent(again as HTMLButtonElement, 'click').pipe(take(1)) }),
      ignoreElements(),
      finalize(() => place.replaceChildren()),
    );
  }

  #show(tools: readonly Tool[]): void {
    const isFirst = !this.#list.isConnected;
    const names = new Set(tools.map(({ name }) => name));
    const gone = [...this.#items.keys()].filter((name) => !names.has(name));
    for (const name of gone) {
      this.#items.get(name)?.item.remove();
      this.#items.delete(name);
    }
    const fresh = tools.filter((tool) => this.#update(tool)).map(({ name }) => name);
    arrange(
      this.#list,
      [...names].flatMap((name) => this.#items.get(name)?.item ?? []),
    );
    this.#count.textContent = tools.length === 0 ? 'This server has no tools.' : `${tools.length} tools, live`;
    if (isFirst) place.replaceChildren(this.#count, this.#list);
    else announce(`The tools have changed. New: ${fresh.join(', ') || 'none'}. Gone: ${gone.join(', ') || 'none'}.`);
  }

  /** True where a tool is new, or another than it was. */
  #update(tool: Tool): boolean {
    const text = JSON.stringify(tool);
    const before = this.#items.get(tool.name);
    if (before?.text === text) return false;
    const item = toolItem(tool, (args) => this.#wanted.next({ tool, args }));
    if (before !== undefined) replace(before.item, item);
    this.#items.set(tool.name, { text, item });
    return true;
  }

  #failed(reason: unknown): HTMLElement {
    const again = h('button', { type: 'button' }, 'Try again');
    const words = reason instanceof Error ? reason.message : String(reason);
    const hint = reason instanceof NetworkError ? 'Is the server up, and does its CORS let this page in?' : '';
    place.replaceChildren(h('p', { class: 'error', role: 'alert' }, words), h('p', { class: 'note' }, hint), again);
    return again;
  }
}
