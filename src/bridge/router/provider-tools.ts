import { defaultIfEmpty, identity, map, type Observable } from 'rxjs';
import type { ReadOptions } from '../../client/index.js';
import { InvalidMessageError, TimeoutError } from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import type { Tool } from '../../protocol/schemas/index.js';
import { answerOf, firstWithin } from '../../rx/index.js';
import { offeredBackend } from '../own-backend.js';
import type { ToolProvider } from '../provider.js';

/** How long a provider of the application's own may take, where nobody says so, in ms. */
const FOREIGN_MS = 60_000;

/** A declaration for chat completions as a tool: what a provider gives that has nothing else to give. */
const toolOf = (declaration: unknown): readonly Tool[] => {
  const own = isObject(declaration) ? declaration['function'] : undefined;
  if (!isObject(own) || typeof own['name'] !== 'string') return [];
  const { name, description, parameters } = own;
  // Whatever the rest is: declaring it again sees to that.
  return [{ name, description, inputSchema: parameters } as unknown as Tool];
};

const checked = (answer: unknown, method: string): readonly Tool[] => {
  if (Array.isArray(answer)) return answer as readonly Tool[];
  throw new InvalidMessageError(method, undefined, 'it is no list of tools');
};

/** The same, as far as it is known without asking again; `undefined` where a provider cannot tell. */
export const knownToolsOf = (provider: ToolProvider): Observable<readonly Tool[]> | undefined => {
  if (typeof provider.knownTools !== 'function') return undefined;
  return answerOf<unknown>(() => provider.knownTools?.()).pipe(
    defaultIfEmpty(undefined),
    map((answer) => checked(answer, 'knownTools')),
  );
};

/**
 * The tools of a provider: as MCP has them where it can say so, else as it declares them. Emits once and completes;
 * errors with what the provider raised, and where it answers with no list.
 */
export const toolsOf = (provider: ToolProvider, options: ReadOptions): Observable<readonly Tool[]> => {
  const { timeoutMs = FOREIGN_MS } = options;
  const isMcp = typeof provider.listTools === 'function';
  return answerOf<unknown>(() => (isMcp ? provider.listTools?.(options) : provider.toolsForLlm())).pipe(
    defaultIfEmpty(undefined),
    // Those of ours have clocks of their own, for each request of theirs.
    timeoutMs === 0 || offeredBackend(provider) !== undefined
      ? identity
      : firstWithin(timeoutMs, undefined, () => new TimeoutError('tools/list', undefined, timeoutMs)),
    map((answer) => (isMcp ? checked(answer, 'listTools') : checked(answer, 'toolsForLlm').flatMap(toolOf))),
  );
};
