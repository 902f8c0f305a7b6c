import { AsyncSubject, concatMap, defer, EMPTY, isObservable, map, mergeMap, type Observable, of, share } from 'rxjs';
import {
  type HandlerEvent,
  Toolkit,
  type ToolCallEvent,
  type ToolProvider,
  type ToolResultLike,
} from '../bridge/index.js';
import type { Tool } from '../protocol/schemas/index.js';
import { SearchIndex, textOf } from './search-index.js';

/** What is searched: a provider that knows its tools, and calls them with events. */
export interface Searched extends ToolProvider {
  readonly tellsEvents: true;
  knownTools(): Observable<readonly Tool[]>;
}

const FEW = 10;
const MOST = 50;
const LONGEST_LINE = 200;

const SEARCH = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What the tool should do, in keywords' },
    limit: { type: 'integer', minimum: 1, maximum: MOST, description: `How many tools to name at most (${FEW})` },
    detail: {
      type: 'string',
      enum: ['name', 'description', 'full'],
      description:
        'How much to say of each: its name alone, its name and a line of description (default), or all of it',
    },
  },
  required: ['query'],
} as const;

const NAME = { type: 'string', description: 'The name of the tool, as search_tools gave it' } as const;

const DETAILS = { type: 'object', properties: { name: NAME }, required: ['name'] } as const;

const CALL = {
  type: 'object',
  properties: {
    name: NAME,
    arguments: { type: 'object', description: 'The arguments, as its inputSchema says' },
  },
  required: ['name'],
} as const;

const lineOf = (text: string): string => {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 3)}...` : line;
};

const detailsOf = ({ name, title, description, inputSchema, outputSchema, annotations }: Tool): object =>
  // What is undefined is left out on its way to the model.
  ({ name, title, description, inputSchema, outputSchema, annotations });

const named = (tool: Tool, detail: string): object => {
  if (detail === 'full') return detailsOf(tool);
  return detail === 'name'
    ? { name: tool.name }
    : {
        name: tool.name,
        description: lineOf([tool.description, tool.title].map(textOf).find((text) => text !== '') ?? ''),
      };
};

const refusal = (text: string): ToolResultLike => ({ content: [{ type: 'text', text }], isError: true });

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
  let indexed: { readonly tools: readonly Tool[]; readonly index$: Observable<SearchIndex> } | undefined;

  /** The index of the tools there are now: made anew when they are others. */
  const index = (tools: readonly Tool[]): Observable<SearchIndex> => {
    if (indexed?.tools !== tools) {
      const index$ = SearchIndex.of(tools).pipe(
        share({ connector: () => new AsyncSubject(), resetOnComplete: false, resetOnRefCountZero: false }),
      );
      indexed = { tools, index$ };
    }
    return indexed.index$;
  };

  const search = (query: string, limit: number, detail: string): Observable<object> =>
    provider.knownTools().pipe(
      concatMap((tools) =>
        index(tools).pipe(
          map((all) => ({
            tools: all.search(query, limit).map((tool) => named(tool, detail)),
            of: tools.length,
          })),
        ),
      ),
    );

  const details = (name: string): Observable<object> =>
    provider.knownTools().pipe(
      map((tools) => tools.find((tool) => tool.name === name)),
      map((tool) =>
        tool === undefined
          ? refusal(`There is no tool ${JSON.stringify(name)}: find one with search_tools.`)
          : detailsOf(tool),
      ),
    );

  const call = (id: string, name: string, args: unknown): Observable<HandlerEvent | ToolResultLike> =>
    defer(() => {
      const events: unknown = provider.executeToolCalls([{ id, name, arguments: args }], { observe: 'events' });
      return isObservable(events) ? (events as Observable<ToolCallEvent>) : EMPTY;
    }).pipe(
      mergeMap((event) => {
        const one = passed(event);
        return one === undefined ? EMPTY : of(one);
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
      ({ name, arguments: args }, { toolCallId = '' }) => call(toolCallId, String(name), args),
    );
};
