import type { Observable } from 'rxjs';
import type { ReadOptions } from '../client/index.js';
import type { Tool } from '../protocol/schemas/index.js';
import type { Backend } from './backend.js';
import { LlmTools } from './llm-tools.js';
import type { ToolSource } from './source.js';
import { ToolBackend } from './tool-backend.js';

/** The tools of a client for a model: what makes calls, and the two sides of a provider on top of it. */
export interface ForModels {
  readonly backend: Backend;
  readonly llm: LlmTools;
}

/** Makes both. Loaded with the first use: see {@link ModelSide}. */
export const forModels = (
  source: ToolSource,
  list: (options: ReadOptions) => Observable<readonly Tool[]>,
): ForModels => {
  const backend = new ToolBackend(source);
  return { backend, llm: new LlmTools(list, backend) };
};
