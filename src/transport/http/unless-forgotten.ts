import type { MonoTypeOperatorFunction } from 'rxjs';
import { isInvalid } from '../../jsonrpc/index.js';
import { turned } from '../../rx/index.js';
import type { Part } from './answer.js';
import type { Refused } from './forgotten.js';
import { refusals } from './refused.js';

/**
 * The answer to a request. One that was refused because the server knows nothing of what was agreed was not read: that is
 * an `UnsentError`. MCP 2025-11-25 basic/transports, "Session Management".
 */
export const unlessForgotten = (refused: Refused): MonoTypeOperatorFunction<Part> =>
  turned<Part, Part>(
    (part) => {
      if (part.message !== undefined && isInvalid(part.message))
        refusals.loaded?.checkForgotten(part.message.error, refused);
      return part;
    },
    (reason) => {
      // What made a refusal of an answer is loaded since.
      refusals.loaded?.checkForgotten(reason, refused);
      return undefined;
    },
  );
