import { fromEvent, ignoreElements, merge, type Observable, tap } from 'rxjs';
import type { McpClient, WireFrame } from 'rx-mcp';
import { byId, h } from './dom.js';
import { perFrame } from './per-frame.js';
import { clipped } from './words.js';

/** How many frames are kept in view. */
const KEPT = 500;

/** How much of one frame is written out, in characters. */
const LONGEST = 100_000;

const count = h('span', { role: 'status', 'aria-live': 'off' }, '0 frames');
const clear = h('button', { type: 'button' }, 'Clear');
const list = h('ol', { class: 'frames', 'aria-label': 'Frames, the newest last', tabindex: 0 });
byId('wire').append(h('p', { class: 'note' }, count, ' ', clear), list);

/** What a frame is, in a few words. */
const summaryOf = ({ message }: WireFrame): string => {
  const { id, method, error, result } = message as Partial<Record<'id' | 'method' | 'error' | 'result', unknown>>;
  const number = typeof id === 'string' || typeof id === 'number' ? ` #${id}` : '';
  if (typeof method === 'string') return `${number === '' ? 'notification' : `request${number}`} ${method}`;
  if (error !== undefined) return `error${number}`;
  return result === undefined ? 'not a message' : `result${number}`;
};

const frameItem = (frame: WireFrame): HTMLElement => {
  const { direction, message, at } = frame;
  const time = new Date(at).toISOString().slice(11, 23);
  const arrow = h('span', { class: 'arrow', 'aria-hidden': 'true' }, direction === 'in' ? '←' : '→');
  const words = h('span', {}, h('span', { class: 'unseen' }, `${direction}: `), summaryOf(frame));
  const details = h('details', {}, h('summary', {}, arrow, h('time', {}, time), words));
  // A picture is long: what nobody opens is not written out.
  const open = (): void =>
    details.append(h('pre', { class: 'text' }, clipped(JSON.stringify(message, null, 2), LONGEST)));
  details.addEventListener('toggle', open, { once: true });
  return h('li', { 'data-direction': direction }, details);
};

/** Shows every frame that is sent or received. */
export const wire = ({ wire$ }: McpClient): Observable<never> => {
  let seen = 0;
  const reset = (): void => {
    seen = 0;
    count.textContent = '0 frames';
    list.replaceChildren();
  };
  reset();
  return merge(
    wire$.pipe(
      perFrame(KEPT),
      tap(({ last, count: more }) => {
        // Whoever has scrolled up wants to stay there.
        const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
        list.append(...last.map(frameItem));
        while (list.childElementCount > KEPT) list.firstElementChild?.remove();
        if (atEnd) list.scrollTop = list.scrollHeight;
        seen += more;
        count.textContent = seen > KEPT ? `${seen} frames, of which the last ${KEPT} are here` : `${seen} frames`;
      }),
    ),
    fromEvent(clear, 'click').pipe(tap(reset)),
  ).pipe(ignoreElements());
};
