// What every recipe shows: a client, the live list of its tools, and a call with its progress. No framework.
import { connectHttp } from 'rx-mcp';
import { catchError, map, type Observable, of, retry, scan, startWith } from 'rxjs';

/** Where the page is. A server that renders pages has no `location`; give it the origin that it serves. */
const page = typeof location === 'undefined' ? 'http://localhost' : location.href;

/** The one client of the page, for as long as the page is there. Nothing is opened before it is used. */
export const mcp = connectHttp({ url: new URL('/mcp', page) });

/** The names of the tools: now, and after every change. A server that is away is asked again after five seconds. */
export const tools$: Observable<readonly string[]> = mcp.tools$.pipe(
  map((tools) => tools.map((tool) => tool.name)),
  retry({ delay: 5_000 }),
);

/** How far a call has come. */
export interface Baking {
  readonly status: 'idle' | 'baking' | 'done' | 'failed';
  readonly progress: number;
  readonly total: number;
  readonly text: string;
}

export const IDLE: Baking = { status: 'idle', progress: 0, total: 1, text: '' };

/**
 * Bakes loaves. Cold: each subscription is a call, and whoever unsubscribes cancels it. Emits at once, then with each
 * report of the server, and at last how it ended; a failure is something to show, so it is a value too.
 */
export const bake = (loaves: number): Observable<Baking> =>
  mcp.callTool('bake', { loaves }, { observe: 'events' }).pipe(
    scan((baking: Baking, event): Baking => {
      if (event.kind === 'progress') {
        const { progress, total = loaves, message = '' } = event;
        return { status: 'baking', progress, total, text: message };
      }
      if (event.kind !== 'result') return baking;
      const text = event.result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      return { ...baking, status: event.result.isError === true ? 'failed' : 'done', text };
    }, IDLE),
    startWith<Baking>({ ...IDLE, status: 'baking' }),
    catchError((error: unknown) => of<Baking>({ ...IDLE, status: 'failed', text: String(error) })),
  );
