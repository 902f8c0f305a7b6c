/*
 * What a model gets of the parity toolkit, frozen in `golden/*.json`: declarations in each format, answers in each shape.
 * A change of a byte fails here, and shows in review as a change of a frozen file. To write them anew:
 *
 *     GOLDEN=write npm test -- spec/bridge/golden
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { LLM_FORMATS } from '../../src/bridge/formats/formats.js';
import type { BatchResultOptions, CallFormat, LlmFormat, McpClient, Toolkit } from '../../src/index.js';
import { connectInMemory, Registry } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { serveToolkit } from '../support/servers/serve-toolkit.js';
import { createParityToolkit, PARITY_CALLS } from '../support/toolkits/parity-toolkit.js';

type Side = Toolkit | McpClient | Registry;

const SHAPES: readonly CallFormat[] = ['neutral', ...LLM_FORMATS];

const frozen = (name: string): URL => new URL(`golden/${name}.json`, import.meta.url);

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const expectFrozen = (name: string, value: unknown): void => {
  if (process.env['GOLDEN'] === 'write') writeFileSync(frozen(name), pretty(value));
  // Compared as text: the order of keys counts.
  expect(pretty(value)).toBe(readFileSync(frozen(name), 'utf8'));
};

/** The published name of each tool in a format, by what its declaration says of it. */
const namesIn = async (side: Side, format: LlmFormat): Promise<ReadonlyMap<string, string>> => {
  const [tools, declared] = [await side.promises.listTools(), await side.promises.toolsForLlm({ format })];
  const flat = namedIn(declared);
  return new Map(tools.map(({ name, description }) => [name, flat.get(description ?? '') ?? name]));
};

/** Names by descriptions, which each tool of the parity toolkit has to itself. */
const namedIn = (declared: unknown): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  const walk = (value: unknown, key: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { name, description } = value as { name?: unknown; description?: unknown };
    if (typeof description === 'string' && !found.has(description)) {
      found.set(description, typeof name === 'string' ? name : key);
    }
    for (const [inner, member] of Object.entries(value)) walk(member, inner);
  };
  walk(declared, '');
  return found;
};

const callIn = (shape: CallFormat, id: string, name: string, args: object = {}): object => {
  switch (shape) {
    case 'openai':
      return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
    case 'openai-responses':
      return { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: JSON.stringify(args) };
    case 'anthropic':
      return { type: 'tool_use', id, name, input: args };
    case 'gemini':
      return { functionCall: { id, name, args } };
    case 'ai-sdk':
      return { type: 'tool-call', toolCallId: id, toolName: name, input: args };
    default:
      return { id, name, arguments: args };
  }
};

/** All calls of the parity toolkit in one shape, under the names that a model of it reads. */
const callsOf = async (side: Side, shape: CallFormat, prefix: string): Promise<object[]> => {
  const names = await namesIn(side, shape === 'neutral' ? 'openai' : shape);
  const calls = PARITY_CALLS.map(([tool, args], index) => {
    const name = names.get(`${prefix}${tool}`);
    if (name === undefined) throw new Error(`${tool} is not declared`);
    return callIn(shape, `call_${index}`, name, args);
  });
  return [...calls, callIn(shape, 'call_unknown', `${prefix}nowhere`), callIn(shape, 'call_nameless', '')];
};

const answersOf = async (side: Side, shape: CallFormat, options: BatchResultOptions, prefix = ''): Promise<unknown[]> =>
  side.promises.executeToolCalls<unknown>(await callsOf(side, shape, prefix), options);

const toolkit = createParityToolkit();

const client = (era: 'modern' | 'legacy'): McpClient =>
  closing(connectInMemory(serveToolkit(toolkit), { era, logLevel: 'debug' }));

/** Long texts are cut in the frozen files alone. */
const SHORT: BatchResultOptions = { budget: { perCall: 300 } };
const PARTS: BatchResultOptions = { ...SHORT, media: 'parts' };

describe('the declarations of the parity toolkit', () => {
  it.each(LLM_FORMATS)('for %s are as they were', async (format) => {
    expectFrozen(`declarations.${format}`, await toolkit.promises.toolsForLlm({ format }));
  });

  it.each(LLM_FORMATS)('for %s are the same bytes behind a client of either era', async (format) => {
    const here = JSON.stringify(await toolkit.promises.toolsForLlm({ format }));
    for (const era of ['modern', 'legacy'] as const) {
      expect(JSON.stringify(await client(era).promises.toolsForLlm({ format }))).toBe(here);
    }
  });

  it('count at least twenty tools', async () => {
    expect((await toolkit.promises.toolsForLlm()).length).toBeGreaterThanOrEqual(20);
  });
});

describe('the answers of the parity toolkit', () => {
  it.each(SHAPES)('to calls of the shape %s are as they were', async (shape) => {
    expectFrozen(`answers.${shape}`, await answersOf(toolkit, shape, SHORT));
    expectFrozen(`answers.${shape}.parts`, await answersOf(toolkit, shape, PARTS));
  });

  // The one exception: in the legacy revisions structured content is an object, and the official server wraps what is
  // none. No vendor's answer carries it; the neutral one does, beside the same text.
  const wrapped = JSON.stringify([{ type: 'cat' }, { type: 'dog' }]);
  const inEra = (era: 'modern' | 'legacy', answer: string): string =>
    era === 'modern'
      ? answer
      : answer.replace(`"structured_content":${wrapped}`, `"structured_content":{"result":${wrapped}}`);

  it.each(SHAPES)('to calls of the shape %s are the same bytes behind a client of either era', async (shape) => {
    for (const options of [{}, SHORT, PARTS]) {
      const here = (await answersOf(toolkit, shape, options)).map((answer) => JSON.stringify(answer));
      for (const era of ['modern', 'legacy'] as const) {
        const there = (await answersOf(client(era), shape, options)).map((answer) => JSON.stringify(answer));
        expect(there).toEqual(here.map((answer) => inEra(era, answer)));
      }
    }
  });
});

describe('the parity toolkit in a registry', () => {
  it.each(SHAPES)('answers calls of the shape %s with the same bytes as behind it', async (shape) => {
    const registry = new Registry().add(toolkit, { prefix: 'p' });
    const nested = new Registry().add(registry, { prefix: 'q' });
    for (const options of [{}, SHORT, PARTS]) {
      const plain = (name: string) => JSON.stringify(name).slice(1, -1);
      const here = (await answersOf(toolkit, shape, options)).map((answer) => JSON.stringify(answer));
      const calls = await callsOf(toolkit, shape, '');
      for (const [side, prefix] of [
        [registry, 'p_'],
        [nested, 'q_p_'],
      ] as const) {
        const asked = await callsOf(side, shape, prefix);
        const there = (await side.promises.executeToolCalls<unknown>(asked, options)).map((answer) =>
          JSON.stringify(answer),
        );
        // Formats that repeat the name of the tool have the one it was called by.
        const expected = here.map((answer, index) => {
          const [inner, outer] = [nameOf(calls[index] as object), nameOf(asked[index] as object)];
          return inner === '' ? answer : answer.replace(`ame":"${plain(inner)}"`, `ame":"${plain(outer)}"`);
        });
        expect(there).toEqual(expected);
      }
    }
  });
});

const nameOf = (call: object): string => {
  const {
    name,
    toolName,
    functionCall,
    function: own,
  } = call as Record<string, { name?: string } | string | undefined>;
  const inner = [functionCall, own].find((one) => typeof one === 'object') as { name?: string } | undefined;
  return [name, toolName, inner?.name].find((one): one is string => typeof one === 'string') ?? '';
};
