import { map, of } from 'rxjs';
import type { BridgeOptions } from '../../client/index.js';
import { declared } from '../declaring.js';
import { LlmTools } from '../llm-tools.js';
import { offerBackend } from '../own-backend.js';
import type { ToolProvider } from '../provider.js';
import { ToolBackend } from '../tool-backend.js';
import type { LocalTools } from './local-tools.js';

/** The tools of a toolkit of its own as a provider. Their annotations are believed: who wrote them runs them. */
export const localProvider = (
  source: LocalTools,
  { overlap = 'annotated', toolConcurrency = 4 }: BridgeOptions,
): ToolProvider => {
  const tools = () => of(source.listTools());
  const backend = new ToolBackend({
    overlap,
    toolConcurrency,
    trustAnnotations: 'all',
    tools,
    call: (name, args, { toolCallId, timeoutMs, maxTotalMs, resetOnProgress }) =>
      source.call(name, args, { toolCallId, timeoutMs, maxTotalMs, resetOnProgress }),
  });
  const llm = new LlmTools(tools, backend);
  const provider: ToolProvider = {
    tellsEvents: true,
    tools$: source.tools$,
    listTools: tools,
    knownTools: tools,
    toolsForLlm: () => tools().pipe(map((list) => declared(list, { format: 'openai' }))),
    executeToolCalls: (calls, options) => llm.execute(calls, options),
  };
  offerBackend(provider, backend, provider);
  return provider;
};
