import { catchError, defer, EMPTY, fromEvent, map, merge, Observable, of, switchMap } from 'rxjs';
import { connectHttp, type HttpOptions, type McpClient } from 'rx-mcp';
import { byId, h } from './dom.js';
import { questions } from './questions.js';

/** A client, and the URL that somebody typed. */
export interface Connected {
  readonly client: McpClient;
  readonly url: string;
}

/** Why there is no client for what somebody typed. */
export interface NotConnected {
  readonly problem: unknown;
}

const form = byId('connect') as HTMLFormElement;
const input = <K extends HTMLElement>(name: string): K => form.elements.namedItem(name) as K;
const url = input<HTMLInputElement>('url');
const era = input<HTMLSelectElement>('era');
const token = input<HTMLInputElement>('token');
const disconnect = input<HTMLButtonElement>('disconnect');

/** The servers that were started with the page, if any, by their eras: the first is filled in, and each has a button. */
const meta = document.querySelector<HTMLMetaElement>('meta[name="demo-servers"]');
const offered = Object.entries(JSON.parse(meta?.content ?? '{}') as Readonly<Record<string, string>>).map(
  ([name, value]) => ({ value, button: h('button', { type: 'button' }, `Demo server, ${name}`) }),
);
url.value = new URL(location.href).searchParams.get('server') ?? offered[0]?.value ?? '';
byId('servers').append(...offered.map(({ value }) => h('option', { value })));
byId('offered').append(...offered.map(({ button }) => button));

/** What is in the form now. A token is meant for the server it was typed for: what is typed later is for the next one. */
const optionsOf = (): HttpOptions => {
  const secret = token.value;
  return {
    url: url.value,
    era: era.value as 'auto' | 'modern' | 'legacy',
    logLevel: 'debug',
    clientInfo: { name: 'rx-mcp-page', version: '1.0.0' },
    ...(secret === '' ? {} : { authProvider: { token: () => secret, onUnauthorized: () => false } }),
    ...questions(url.value),
  };
};

/** One client: made when it is subscribed to, closed when it is unsubscribed. Never errors. */
const connected = (options: HttpOptions): Observable<Connected | NotConnected> =>
  new Observable<Connected>((subscriber) => {
    const client = connectHttp(options);
    disconnect.disabled = false;
    subscriber.next({ client, url: String(options.url) });
    return () => {
      disconnect.disabled = true;
      client.close().catch((reason: unknown) => console.error(reason));
    };
  }).pipe(catchError((problem: unknown) => of({ problem })));

// Whatever else happens: the browser itself sends this form nowhere.
form.addEventListener('submit', (event) => event.preventDefault());

/** At load: with a server that was started with the page, and with none that only a link names. */
const atLoad$ = defer(() => (offered.some(({ value }) => value === url.value) ? of(optionsOf()) : EMPTY));

const byButton$ = merge(
  ...offered.map(({ value, button }) =>
    fromEvent(button, 'click').pipe(
      map(() => {
        url.value = value;
        era.value = 'auto';
        token.value = '';
        return optionsOf();
      }),
    ),
  ),
);

/** Whom somebody wants to be connected with; `undefined` for nobody. Emits at once when the form is sent. Never errors. */
export const connection$: Observable<Connected | NotConnected | undefined> = merge(
  atLoad$,
  byButton$,
  fromEvent(form, 'submit').pipe(map(() => optionsOf())),
  fromEvent(disconnect, 'click').pipe(map(() => undefined)),
).pipe(switchMap((options) => (options === undefined ? of(undefined) : connected(options))));
