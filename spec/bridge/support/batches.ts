import { of } from 'rxjs';
import type { Backend, Happened, PlannedCall, Ready } from '../../../src/bridge/backend.js';
import type { CallToolResult, Tool, ToolCall } from '../../../src/index.js';
import { answered } from '../../../src/bridge/outcome.js';

/** A call in no vendor's shape. */
export const call = (id: string, name: string, args: unknown = {}): ToolCall => ({ id, name, arguments: args });

/** A result of one text. */
export const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] });

/** A tool that takes anything. */
export const tool = (name: string, annotations?: Tool['annotations']): Tool => ({
  name,
  inputSchema: { type: 'object' },
  ...(annotations === undefined ? undefined : { annotations }),
});

/** What a server says of a tool that may run beside others. */
export const SAFE = { readOnlyHint: true, idempotentHint: true } as const;

/** What becomes of a call, as a backend tells it. */
export const outcome = (slot: number, result: CallToolResult): Happened => ({
  slot,
  value: { kind: 'outcome', outcome: answered(result) },
});

/** A backend that runs calls in one way; each batch it was given is kept in `ran`. */
export const backend = (run: Ready['run'], rawName: Ready['rawName'] = (name) => name) => {
  const ran: (readonly PlannedCall[])[] = [];
  const ready: Ready = {
    rawName,
    run: (calls, options, reports) => {
      ran.push(calls);
      return run(calls, options, reports);
    },
  };
  return { prepare: () => of(ready), ran } satisfies Backend & { ran: unknown };
};

/** A backend that answers each call with a result of its own. */
export const answering = (results: (name: string) => CallToolResult) =>
  backend((calls) => of(...calls.map(({ name }, slot) => outcome(slot, results(name)))));
