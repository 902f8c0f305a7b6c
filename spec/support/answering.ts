import { Subject } from 'rxjs';
import { Answerer } from '../../src/protocol/answerer.js';
import type { Hooks, ServerDescription } from '../../src/protocol/index.js';
import type { Warning } from '../../src/session/index.js';

/** A server that asks. */
export const SERVER: ServerDescription = {
  era: 'modern',
  protocolVersion: '2026-07-28',
  supportedVersions: ['2026-07-28'],
  info: { name: 'asker', version: '1.0.0' },
  capabilities: {},
  instructions: undefined,
};

/** An answerer with these hooks, what it warned of, and what ends them all. */
export const answering = (
  hooks: Hooks,
  inputTimeoutMs = 0,
): { readonly answerer: Answerer; readonly warnings: Warning[]; readonly closed$: Subject<unknown> } => {
  const warnings: Warning[] = [];
  const closed$ = new Subject<unknown>();
  const answerer = new Answerer({
    hooks,
    inputTimeoutMs,
    closed$,
    warn: (kind, message, detail) =>
      warnings.push(detail === undefined ? { kind, message } : { kind, message, detail }),
  });
  return { answerer, warnings, closed$ };
};

/** The params of a form with these fields. */
export const form = (properties: object = {}, more: object = {}): object => ({
  message: 'Who are you?',
  requestedSchema: { type: 'object', properties, ...more },
});

/** The params of a question that sends a person to a page. */
export const page = (url: unknown = 'https://example.com/connect?id=1'): object => ({
  mode: 'url',
  message: 'Please sign in',
  url,
});

/** The params of a sampling. */
export const SAMPLING = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Capital of France?' } }],
  maxTokens: 100,
} as const;

/** What a model wrote. */
export const SAMPLE = {
  role: 'assistant' as const,
  model: 'm-1',
  content: { type: 'text' as const, text: 'Paris' },
};
