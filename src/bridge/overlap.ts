import type { Overlap, TrustAnnotations } from '../client/index.js';
import type { Tool } from '../protocol/schemas/index.js';
import type { Terms } from './schedule.js';

/** Which calls do no harm beside others, and how batches of them are run. */
export interface OverlapRule {
  readonly overlap: Terms<never>['overlap'];
  /** `undefined` is a tool that is not in the catalogue: nothing is known of it. */
  readonly isSafe: (tool: Tool | undefined) => boolean;
  /** Whether equal calls of it may be one request. */
  readonly isOnce: (tool: Tool | undefined) => boolean;
}

const NEVER: OverlapRule = { overlap: 'never', isSafe: () => false, isOnce: () => false };

const isRead = (tool: Tool | undefined): boolean => tool?.annotations?.readOnlyHint === true;

const isIdempotent = (tool: Tool | undefined): boolean => tool?.annotations?.idempotentHint === true;

/**
 * The rule that an option stands for. Annotations count only as far as they are trusted; a function of the application's
 * decides by itself, and what it throws means no. MCP 2026-07-28 server/tools, "Tool Annotations".
 */
export const overlapRule = (overlap: Overlap, trust: TrustAnnotations): OverlapRule => {
  if (overlap === 'never') return NEVER;
  if (typeof overlap === 'function') {
    const isSafe = (tool: Tool | undefined): boolean => {
      try {
        // Plain JavaScript may answer anything.
        const answer: unknown = tool === undefined ? false : overlap(tool);
        // It is asked for a boolean; a Promise is none, and what it rejects with is nobody else's to hear.
        if (answer instanceof Promise) answer.catch(() => undefined);
        return answer === true;
      } catch {
        return false;
      }
    };
    // That something may run beside itself does not say that once is enough.
    const isOnce = (tool: Tool | undefined): boolean => trust !== 'none' && (isRead(tool) || isIdempotent(tool));
    return { overlap: 'whole', isSafe, isOnce };
  }
  if (trust === 'none') return NEVER;
  const isBoth = (tool: Tool | undefined): boolean => isRead(tool) && isIdempotent(tool);
  return overlap === 'read-only'
    ? { overlap: 'runs', isSafe: isRead, isOnce: isRead }
    : { overlap: 'whole', isSafe: isBoth, isOnce: isBoth };
};
