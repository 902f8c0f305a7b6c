import { fromEvent, ignoreElements, merge, mergeMap, type Observable, tap } from 'rxjs';
import type { McpClient, Tool } from 'rx-mcp';
import { CallCard } from './call-card.js';
import { byId, h } from './dom.js';
import { titleOf } from './tool-item.js';

/** A call that somebody wants made. */
export interface Wanted {
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The cards of all calls, the newest first. They stay when a connection ends, and say whose they are. */
const list = h('div', { class: 'cards' });
const clear = h('button', { type: 'button' }, 'Clear those that are over');
byId('calls').append(h('p', { class: 'note' }, clear), list);

/** Makes each call that is wanted, beside those that run already, and shows it as a card. */
export const calls = (client: McpClient, url: string, wanted$: Observable<Wanted>): Observable<never> =>
  merge(
    wanted$.pipe(
      mergeMap(({ tool, args }) => {
        const card = new CallCard(titleOf(tool), args, url);
        list.prepend(card.element);
        return card.run(client.callTool(tool.name, args, { observe: 'events' }));
      }),
    ),
    fromEvent(clear, 'click').pipe(
      tap(() => {
        for (const card of list.querySelectorAll('article:not([data-status="running"])')) card.remove();
      }),
    ),
  ).pipe(ignoreElements());
