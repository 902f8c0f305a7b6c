import { AsyncSubject, catchError, concatMap, defer, EMPTY, isObservable, map, type Observable, of, share } from 'rxjs';
import {
  type HandlerEvent,
  Toolkit,
  type ToolCallEvent,
  type ToolProvider,
  type ToolResultLike,
} from '../bridge/index.js';
import { WayBack } from '../bridge/way-back.js';
import type { Tool } from '../protocol/schemas/index.js';
import { nameOf, SearchIndex } from './search-index.js';
import { argumentsOf, CALL, DETAILS, detailsOf, FEW, SEARCH, toldOf } from './searching.js';

/** What is searched: a provider that knows its tools, and calls them with events. */
export interface Searched extends ToolProvider {
  readonly tellsEvents: true;
  knownTools(): Observable<readonly Tool[]>;
}

/** A list of tools, and what is made of it once. */
interface Known {
  readonly tools: readonly Tool[];
  readonly index$: Observable<SearchIndex>;
  readonly wayBack: WayBack;
}

const unknown = (name: string): ToolResultLike => {
  const text = `There is no tool ${JSON.stringify(name)}: find one with search_tools.`;
  return { content: [{ type: 'text', text }], isError: true };
};

/** What an event of the call means for the call of `call_tool`. */
const passed = (event: ToolCallEvent): HandlerEvent | ToolResultLike | undefined => {
  if (event.kind === 'progress') {
    const { progress, total, message } = event;
    return { kind: 'progress', progress, total, message };
  }
  if (event.kind === 'log') return { kind: 'log', level: event.level, data: event.data, logger: event.logger };
  if (event.kind !== 'result') return undefined;
  const { raw, is_error: isError, structured_content: structuredContent } = event.result;
  if (raw !== undefined) return raw;
  const { content } = event.result as { readonly content?: unknown };
  return {
    content: [{ type: 'text', text: typeof content === 'string' ? content : JSON.stringify(content) }],
    structuredContent,
    isError,
  };
};

/**
 * The tools of a provider behind three: `search_tools` finds some by keywords, `get_tool_details` gives all of one,
 * `call_tool` calls it. So a model reads of the tools it needs, and of no others, and its prompt stays the same whatever
 * tools come and go. See "Progressive Tool Discovery" in the client best practices of the specification.
 */
export const searchable = (provider: Searched): Toolkit => {
  let known: Known | undefined;

  /** What is made of the tools there are now: made anew when they are others. */
  const knownOf = (tools: readonly Tool[]): Known => {
    if (known?.tools !== tools) {
      const index$ = SearchIndex.of(tools).pipe(
        share({ connector: () => new AsyncSubject(), resetOnComplete: false, resetOnRefCountZero: false }),
      );
      known = { tools, index$, wayBack: new WayBack(tools.map(nameOf).filter((name) => name !== '')) };
    }
    return known;
  };

  /** The tool that a call of this name would go to: a model may have read the name elsewhere, in its legal form. */
  const find = (tools: readonly Tool[], name: string): Tool | undefined => {
    const raw = knownOf(tools).wayBack.find(name, 'neutral');
    return raw === undefined ? undefined : tools.find((tool) => nameOf(tool) === raw);
  };

  const search = (query: string, limit: number, detail: string): Observable<object> =>
    provider.knownTools().pipe(
      concatMap((tools) =>
        knownOf(tools).index$.pipe(
          map((all) => {
            const found = all.search(query, limit).map((tool) => toldOf(tool, detail));
            const hint = 'No tool fits all of this: try fewer or other words.';
            return { tools: found, total: tools.length, ...(found.length === 0 ? { hint } : undefined) };
          }),
        ),
      ),
    );

  const details = (name: string): Observable<object> =>
    provider.knownTools().pipe(
      map((tools) => find(tools, name)),
      map((tool) => (tool === undefined ? unknown(name) : detailsOf(tool))),
    );

  /** A failure, or that there is no such tool: only then it is worth finding out. */
  const explained = (name: string, failure: ToolResultLike): Observable<ToolResultLike> =>
    provider.knownTools().pipe(
      map((tools) => (find(tools, name) === undefined ? unknown(name) : failure)),
      catchError(() => of(failure)),
    );

  const call = (id: string, name: string, args: unknown): Observable<HandlerEvent | ToolResultLike> =>
    defer(() => {
      const events: unknown = provider.executeToolCalls([{ id, name, arguments: args }], { observe: 'events' });
      return isObservable(events) ? (events as Observable<ToolCallEvent>) : EMPTY;
    }).pipe(
      concatMap((event): Observable<HandlerEvent | ToolResultLike> => {
        const one = passed(event);
        if (one === undefined) return EMPTY;
        return 'isError' in one && one.isError === true ? explained(name, one) : of(one);
      }),
    );

  // The calls have clocks of their own, where the tools are.
  return new Toolkit({ name: 'search', requestTimeoutMs: 0, maxTotalMs: 0 })
    .tool(
      'search_tools',
      {
        description: 'Finds tools by keywords, the best first. There are more than are shown: search for each task.',
        input: SEARCH,
        annotations: { readOnlyHint: true, idempotentHint: true },
      },
      ({ query, limit = FEW, detail = 'description' }) => search(String(query), Number(limit), String(detail)),
    )
    .tool(
      'get_tool_details',
      {
        description:
          'Gives all of one tool: what it does and which arguments it takes. Read it before you call a tool.',
        input: DETAILS,
        annotations: { readOnlyHint: true, idempotentHint: true },
      },
      ({ name }) => details(String(name)),
    )
    .tool(
      'call_tool',
      { description: 'Calls a tool that search_tools found, with the arguments it takes.', input: CALL },
      (given, { toolCallId = '' }) => call(toolCallId, given.name, argumentsOf(given)),
    );
};
