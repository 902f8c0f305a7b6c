import { describe, expect, it } from '@jest/globals';
import { LLM_FORMATS } from '../../src/bridge/formats/formats.js';
import { type DeclarationChange, Registry, type Tool } from '../../src/index.js';
import { handProvider } from '../support/providers/hand.js';

const TOOL = {
  name: 'strange',
  description: 'S',
  inputSchema: {
    type: 'object',
    $schema: 'http://json-schema.org/draft-07/schema#',
    properties: {
      maybe: { type: ['string', 'null'] },
      tree: { $ref: '#/definitions/Node' },
      odd: { type: 'any' },
    },
    definitions: {
      Node: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/definitions/Node' } } } },
    },
    additionalProperties: false,
  },
} as unknown as Tool;

const registry = (...tools: readonly unknown[]): Registry =>
  new Registry().add(handProvider([], undefined, { listTools: () => tools as readonly Tool[] }), { prefix: 'a' });

describe.each(LLM_FORMATS)('case 32: schemas that strict providers refuse, for %s', (format) => {
  it('are made fit, and what was changed is told under the name of the registry', async () => {
    const changes: DeclarationChange[] = [];
    const declared = await registry(TOOL).promises.toolsForLlm({ format, report: (all) => changes.push(...all) });
    const text = JSON.stringify(declared);
    expect(text).toContain('a_strange');
    expect(text).not.toContain('"any"');
    expect(new Set(changes.map(({ tool }) => tool))).toEqual(new Set(['a_strange']));
    expect(changes.map(({ path }) => path)).toContainEqual(expect.stringContaining('odd'));
  });

  it('cost no other tool anything, where nothing can be made of one', async () => {
    const good = { name: 'good', description: 'G', inputSchema: { type: 'object' } };
    const alone = JSON.stringify(await registry(good).promises.toolsForLlm({ format }));
    const bad = [null, 'tool', { name: 5 }, {}];
    expect(JSON.stringify(await registry(...bad, good).promises.toolsForLlm({ format }))).toBe(alone);
  });
});
