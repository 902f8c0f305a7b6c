import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { declare, LLM_FORMATS } from '../../../src/bridge/formats/index.js';
import type { Tool } from '../../../src/index.js';
import { published } from '../../support/servers/published.js';
import { oddList } from '../support/odd-tools.js';
import { faultsOf } from '../support/vendor-rules.js';

describe("the vendors' rules", () => {
  let folder: string;
  const lists = new Map<string, readonly Tool[]>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rx-mcp-formats-'));
    const servers = {
      everything: published('mcp-server-everything', ['stdio']),
      filesystem: published('mcp-server-filesystem', [folder]),
      thinking: published('mcp-server-sequential-thinking', []),
      memory: published('mcp-server-memory', [], { env: { MEMORY_FILE_PATH: join(folder, 'graph.jsonl') } }),
    };
    for (const [name, { promises }] of Object.entries(servers)) lists.set(name, await promises.listTools());
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  for (const [server, least] of Object.entries({ everything: 6, filesystem: 6, memory: 6, thinking: 1 })) {
    it.each(LLM_FORMATS)(`hold for the tools of server-${server} declared for %s`, (format) => {
      const tools = lists.get(server) ?? [];
      expect(tools.length).toBeGreaterThanOrEqual(least);
      const { declarations, changes, names } = declare(tools, format);
      expect(faultsOf(format, declarations)).toEqual([]);
      const declared = tools.filter(({ execution }) => execution?.taskSupport !== 'required');
      expect(declared.every(({ name }) => names.published(name) === name && names.raw(name) === name)).toBe(true);
      // Nothing of what these servers say is lost to the model, whatever the format.
      const lost = changes.filter(
        ({ action, path, reason }) =>
          action === 'replaced' ||
          !(/\/(?:\$schema|default)$/.test(path) || reason.includes('as a task') || reason.includes('is whole at')),
      );
      expect(format === 'gemini' ? [] : lost).toEqual([]);
    });
  }

  it.each(LLM_FORMATS)('hold for odd tools declared for %s', (format) => {
    expect(faultsOf(format, declare(oddList(), format).declarations)).toEqual([]);
  });

  it('would be told where they do not hold', () => {
    const parameters = {
      anyOf: [],
      properties: { 'a b': { type: 'array' }, c: { $ref: '#/$defs/C' }, d: { type: ['string', 'number'], const: 1 } },
      required: ['e'],
    };
    const openai = [{ type: 'function', name: 'a', function: { name: 'a.b', description: 5, parameters } }];
    const patterns = { type: 'object', properties: {}, patternProperties: { '\\p{L}': { $ref: '#/$defs/D' } } };
    const long = { name: 'l', description: 'x'.repeat(1_025), parameters: { ...patterns, dependencies: { a: ['b'] } } };
    expect(faultsOf('openai', [{ type: 'function', function: long }])).toEqual([
      'l: a description of more than 1 024 characters',
      'l: a pattern Python does not read',
      'l/patternProperties/\\p{L}: #/$defs/D points nowhere',
    ]);
    expect(faultsOf('openai', openai)).toEqual([
      'the name "a.b"',
      'the field name',
      'a.b: its description',
      'a.b: the root has another type than object',
      'a.b: anyOf',
      expect.stringContaining('fewer than 1 items'),
      'a.b/properties/a b: array schema missing items',
      'a.b/properties/c: #/$defs/C points nowhere',
    ]);
    const anthropic = ['b', 'a', 'a'].map((name) => ({ name, input_schema: { ...parameters, type: 'object' } }));
    expect(faultsOf('anthropic', anthropic)).toEqual(
      expect.arrayContaining(['a name comes twice', 'not sorted', 'a: a b']),
    );
    const gemini = [{ functionDeclarations: [{ name: '1', parametersJsonSchema: parameters }] }];
    expect(faultsOf('gemini', gemini)).toEqual(
      expect.arrayContaining([
        'the name "1"',
        '1/properties/d: const',
        '1/properties/d: several types',
        '1: required but not described: e',
      ]),
    );
  });
});
