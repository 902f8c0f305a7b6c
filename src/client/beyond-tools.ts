import { defer, map, type Observable } from 'rxjs';
import { OptionError } from '../errors/index.js';
import { type Agreement, requireCapability, type Result } from '../protocol/index.js';
import type {
  CompleteResult,
  GetPromptResult,
  PromptReference,
  ReadResourceResult,
  ResourceTemplateReference,
} from '../protocol/schemas/index.js';
import { LOG_LEVELS, type LogLevel } from '../session/index.js';
import { requireText } from './arguments.js';
import { ask, type EventOptions, inAllRounds, observed, type ResultOptions } from './ask.js';
import type { CallOptions } from './call-options.js';
import type { CallEvent } from './events.js';
import type { ClientParts } from './parts.js';
import { requireArgument, requireContext, requireReference, requireTexts } from './prompt-arguments.js';
import type { Told } from './results.js';
import { hasContents, readCompletion, readContents, readPrompt } from './results-beyond-tools.js';

export { PROMPTS, RESOURCE_TEMPLATES, RESOURCES } from './list-kinds.js';

/** What is read from a server and changes nothing there may be asked twice. */
const safely = (): boolean => true;

/** Tells of a result where it was not told of before: it may have been kept, and be read many times. */
const once = ({ reads, channels }: ClientParts, result: Result): Told => {
  let isNews: boolean | undefined;
  return {
    warn: (kind, message, detail) => {
      isNews ??= reads.isNews({ result });
      if (isNews) channels.warn(kind, message, detail);
    },
  };
};

/** See `McpClient`. */
export const readResource = (
  parts: ClientParts,
  uri: string,
  options: EventOptions | ResultOptions | undefined,
): Observable<ReadResourceResult | CallEvent<ReadResourceResult>> => {
  const method = 'resources/read';
  const params = { uri };
  const prepare = (): void => {
    requireText(uri, 'uri');
  };
  const check = (agreement: Agreement): void => {
    requireCapability(agreement, 'resources', method);
  };
  const question = { method, name: uri, params, options, prepare, check, repeatable: safely };
  return observed(
    (events) =>
      defer(() => {
        prepare();
        return parts.reads
          .result({ method, params, options, check, fits: hasContents }, () => {
            let retried = false;
            const onLater = (): void => {
              retried = true;
            };
            return inAllRounds(parts, question, events, onLater).pipe(map((result) => ({ result, retried })));
          })
          .pipe(map((result) => readContents(result, once(parts, result))));
      }),
    options,
  );
};

/** See `McpClient`. */
export const getPrompt = (
  parts: ClientParts,
  name: string,
  args: Readonly<Record<string, string>> | undefined,
  options: EventOptions | ResultOptions | undefined,
): Observable<GetPromptResult | CallEvent<GetPromptResult>> =>
  ask(
    parts,
    {
      method: 'prompts/get',
      name,
      params: args === undefined ? { name } : { name, arguments: args },
      options,
      prepare: () => {
        requireText(name, 'name');
        requireTexts(args, 'args');
      },
      check: (agreement) => {
        requireCapability(agreement, 'prompts', 'prompts/get');
      },
      repeatable: safely,
    },
    (answer) => readPrompt(answer, parts.channels),
    options,
  );

/** See `McpClient`. */
export const complete = (
  parts: ClientParts,
  ref: PromptReference | ResourceTemplateReference,
  argument: { readonly name: string; readonly value: string },
  context: { readonly arguments?: Readonly<Record<string, string>> | undefined } | undefined,
  options: CallOptions | undefined,
): Observable<CompleteResult> =>
  parts.requests
    .run({
      method: 'completion/complete',
      // Older revisions do not know `context`, which is no more than a hint.
      params: ({ server }) =>
        context === undefined || server.protocolVersion < '2025-06-18' ? { ref, argument } : { ref, argument, context },
      options,
      prepare: () => {
        requireReference(ref);
        requireArgument(argument);
        requireContext(context);
      },
      check: (agreement) => {
        requireCapability(agreement, 'completions', 'completion/complete');
      },
      repeatable: safely,
    })
    .pipe(map((result) => readCompletion(result, parts.channels)));

/** See `McpClient`. */
export const setLogLevel = (
  { requests }: ClientParts,
  level: LogLevel,
  options: CallOptions | undefined,
): Observable<undefined> =>
  requests
    .run({
      method: 'logging/setLevel',
      params: { level },
      options,
      prepare: () => {
        if (!LOG_LEVELS.includes(level)) throw new OptionError('level', `give one of ${LOG_LEVELS.join(', ')}`);
      },
      unasked: ({ server }) => (server.era === 'modern' ? { resultType: 'complete' } : undefined),
      check: (agreement) => {
        requireCapability(agreement, 'logging', 'logging/setLevel');
      },
      repeatable: safely,
    })
    .pipe(
      map(() => {
        requests.logLevel = level;
        return undefined;
      }),
    );
