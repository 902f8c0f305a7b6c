import { describe, expect, it } from '@jest/globals';
import { formatOf, LLM_FORMATS } from '../../src/bridge/formats/formats.js';
import { type LlmFormat, Registry, Toolkit } from '../../src/index.js';

/** Names that servers in the field have, and such as differ only in what no API takes. */
const NAMES = [
  'plain',
  'admin.users/list',
  'admin_users_list',
  'admin users list',
  'admin-users/list',
  'größe',
  '9lives',
  '-dash',
  'x'.repeat(63),
  'x'.repeat(64),
  'x'.repeat(65),
];

const toolkit = (): Toolkit =>
  NAMES.reduce(
    (kit, name) => kit.tool(name, { description: `Is ${name}` }, () => name),
    new Toolkit({ name: 'names' }),
  );

const declaredBy = async (provider: Registry | Toolkit, format: LlmFormat): Promise<string[]> => {
  const declared: unknown = await provider.promises.toolsForLlm({ format });
  if (format === 'ai-sdk') return Object.keys(declared as object);
  const list = declared as { name?: string; function?: { name: string }; functionDeclarations?: { name: string }[] }[];
  return list.flatMap(({ name, function: own, functionDeclarations }) =>
    functionDeclarations === undefined ? [name ?? own?.name ?? ''] : functionDeclarations.map((one) => one.name),
  );
};

const callIn = (format: LlmFormat, name: string): object => {
  if (format === 'openai') return { type: 'function', id: name, function: { name, arguments: '' } };
  if (format === 'openai-responses') return { type: 'function_call', call_id: name, name, arguments: '{}' };
  if (format === 'anthropic') return { type: 'tool_use', id: name, name, input: {} };
  if (format === 'gemini') return { functionCall: { id: name, name, args: {} } };
  return { type: 'tool-call', toolCallId: name, toolName: name, input: {} };
};

describe.each(LLM_FORMATS)('case 31: names that no API takes, for %s', (format) => {
  it.each([
    ['a toolkit', () => toolkit()],
    ['a registry', () => new Registry().add(toolkit(), { prefix: 'p' })],
    ['a registry whose prefix is none either', () => new Registry().add(toolkit(), { prefix: '1 + 1' })],
    [
      'registries in registries',
      () => new Registry().add(new Registry().add(toolkit(), { prefix: 'inner' }), { prefix: 'outer.most' }),
    ],
  ])('are legal, unique, and lead back to their tools: %s', async (_, make) => {
    const provider = make();
    const names = await declaredBy(provider, format);
    expect(new Set(names).size).toBe(NAMES.length);
    for (const name of names) expect(name).toMatch(formatOf(format).names.legal);
    const answers = await provider.promises.executeToolCalls<unknown>(names.map((name) => callIn(format, name)));
    const texts = answers.map((answer) =>
      answer.raw?.content.map((block) => (block.type === 'text' ? block.text : '')),
    );
    expect(texts.flat().sort()).toEqual([...NAMES].sort());
  });
});
