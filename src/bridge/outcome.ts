import type { CallToolResult } from '../protocol/schemas/index.js';
import { failureText } from './failure-text.js';
import type { Content } from './render/index.js';
import type { ToolResult } from './provider.js';

/** How one call of a batch went, before it is written for a model. */
export interface CallOutcome {
  readonly result: CallToolResult;
  /** The same, if the tool said it; nothing for what was never answered. */
  readonly raw: CallToolResult | undefined;
  /** What kept the tool from answering, where that was an error. */
  readonly error?: unknown;
}

/** A call that the tool answered. */
export const answered = (result: CallToolResult): CallOutcome => ({ result, raw: result });

/** A call that failed before there was an answer: `text` is what the model is told. */
export const failed = (text: string): CallOutcome => ({
  result: { content: [{ type: 'text', text }], isError: true },
  raw: undefined,
});

/** A call of which nothing more was heard. */
export const NOT_ANSWERED = failed('Error: the call was not answered.');

/** A call that was lost, refused or out of time, or that met a bug. */
export const failedBy = (reason: unknown): CallOutcome => {
  return { ...failed(failureText(reason)), error: reason };
};

/** Not enumerable: it goes to no model by accident. */
export const addFact = (answer: object, fact: string, value: unknown): void => {
  Object.defineProperty(answer, fact, { value, configurable: true, writable: true });
};

/** The result of a call in no vendor's shape. */
export const toolResult = (toolCallId: string, { result, raw, error }: CallOutcome, content: Content): ToolResult => {
  const { structuredContent } = result;
  const answer = {
    role: 'tool' as const,
    tool_call_id: toolCallId,
    content,
    is_error: result.isError === true,
    ...(structuredContent === undefined ? undefined : { structured_content: structuredContent }),
  };
  if (raw !== undefined) addFact(answer, 'raw', raw);
  if (error !== undefined) addFact(answer, 'error', error);
  return answer;
};
