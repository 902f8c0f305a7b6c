import type { ResultMeta } from './base.js';

/** Names a prompt whose argument is to be completed. MCP 2026-07-28 server/utilities/completion; schema, `PromptReference`. */
export interface PromptReference {
  type: 'ref/prompt';
  name: string;
}

/** Names a resource template whose variable is to be completed. MCP 2026-07-28 schema, `ResourceTemplateReference`. */
export interface ResourceTemplateReference {
  type: 'ref/resource';
  /** The URI template as it was listed, or a URI. */
  uri: string;
}

/** The answer to `completion/complete`. MCP 2026-07-28 server/utilities/completion; schema, `CompleteResult`. */
export interface CompleteResult {
  [key: string]: unknown;
  completion: {
    [key: string]: unknown;
    /** The best first; at most 100. */
    values: string[];
    /** How many there are in all; may be more than `values` has. */
    total?: number | undefined;
    /** True: there are more, even where `total` is not known. */
    hasMore?: boolean | undefined;
  };
  _meta?: ResultMeta | undefined;
}
