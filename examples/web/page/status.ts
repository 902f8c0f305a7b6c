import {
  catchError,
  combineLatest,
  distinctUntilChanged,
  EMPTY,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  Observable,
  share,
  switchMap,
  tap,
} from 'rxjs';
import type { ConnectionState, McpClient, ServerDescription } from 'rx-mcp';
import { announce } from './announce.js';
import { byId, h } from './dom.js';
import { clipped, nameOf, objectOf, textOr } from './words.js';
import { link } from './link.js';
import { iconOf } from './picture.js';

/** How much is shown of what a server says of itself, in characters. */
const LONGEST = 2_000;

const place = byId('status');
const state = h('p', { class: 'state', role: 'status' }, 'not connected');
const about = h('div', { class: 'about' });
place.append(state, about);

/** How many warnings are kept in view. */
const KEPT = 5;

const warnings = h('ul', { class: 'warnings', 'aria-label': 'What was refused' });
place.append(warnings);

/** Says why a question never came to a person, or why its answer was not sent. */
const warn = (message: string): void => {
  warnings.append(h('li', { class: 'error', dir: 'auto' }, clipped(message, 500)));
  while (warnings.childElementCount > KEPT) warnings.firstElementChild?.remove();
  announce(clipped(message, 200));
};

const show = (name: string, words: string): void => {
  state.dataset['state'] = name;
  state.textContent = words;
};

const showState = ({ status, era, attempt, error }: ConnectionState, there: 'here' | 'away'): void => {
  if (status === 'connected' && there === 'away') show('reconnecting', 'the server is away: trying again');
  else if (status === 'connected') show(status, `connected, ${String(era)} era`);
  else if (status === 'reconnecting') show(status, `reconnecting, attempt ${attempt ?? 1}`);
  else if (status === 'failed') show(status, `failed: ${error?.message ?? 'for no known reason'}`);
  else show(status, status);
};

/** Whom we talk to. A server's name for itself is no proof: where it was reached is said as well. */
const describe = (server: ServerDescription, url: string): void => {
  const { protocolVersion, capabilities, instructions } = server;
  const info = objectOf(server.info);
  const facts: readonly (readonly [string, string])[] = [
    ['Calls itself', `${nameOf(server) ?? 'nothing'} ${textOr(info['version'], '')}`.trim()],
    ['Reached at', url],
    ['Era', server.era],
    ['Version', protocolVersion],
    ['Offers', Object.keys(objectOf(capabilities)).join(', ')],
    ['Says', textOr(instructions, '')],
  ];
  const told = facts.filter(([, value]) => value !== '');
  about.replaceChildren(
    ...iconOf(info['icons']),
    h(
      'dl',
      {},
      ...told.map(([name, value]) =>
        h('div', {}, h('dt', {}, name), h('dd', {}, h('bdi', {}, clipped(value, LONGEST)))),
      ),
    ),
  );
};

/** Says, for as long as it is subscribed to, why nobody is talked to. */
export const failure = (reason: unknown): Observable<never> =>
  new Observable(() => {
    show('failed', `failed: ${reason instanceof Error ? reason.message : String(reason)}`);
    return () => show('closed', 'not connected');
  });

/** Shows how the connection is, and who is at its other end. */
export const status = (client: McpClient, url: string): Observable<never> => {
  const states$ = combineLatest([client.state$, link(client)]).pipe(share());
  return merge(
    states$.pipe(tap(([one, there]) => showState(one, there))),
    states$.pipe(
      map(([one]) => one.status === 'connected'),
      distinctUntilChanged(),
      // Each connection may be to another server.
      switchMap((isConnected) => (isConnected ? client.server().pipe(catchError(() => EMPTY)) : EMPTY)),
      tap((server) => describe(server, url)),
    ),
    client.warnings$.pipe(
      filter(({ kind }) => kind === 'hook-failed'),
      tap(({ message }) => warn(message)),
    ),
  ).pipe(
    ignoreElements(),
    finalize(() => {
      show('closed', 'not connected');
      about.replaceChildren();
      warnings.replaceChildren();
    }),
  );
};
