import { describe, expect, it } from '@jest/globals';
import { type McpClient, type Warning } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { watch } from '../support/client/watch.js';

const read = (
  lister: 'listTools' | 'listPrompts' | 'listResources' | 'listResourceTemplates',
  method: string,
  member: string,
  entries: readonly unknown[],
): { list: unknown; warnings: Warning[] } => {
  const client: McpClient = connect(scriptedTransport({ [method]: { [member]: entries } }));
  const warnings = watch(client.warnings$).values;
  const { values } = watch<unknown[]>(client[lister]());
  return { list: values[0], warnings };
};

const junk = [null, 5, 'text', [], {}, { name: 7 }];

describe('a malformed entry never hides the others:', () => {
  it('a tool without a name is left out, with a warning each', () => {
    const good = { name: 'good', inputSchema: { type: 'object', properties: {} }, 'x-kept': [1] };
    const { list, warnings } = read('listTools', 'tools/list', 'tools', [...junk, good]);
    expect(list).toEqual([good]);
    expect(warnings.map(({ kind, detail }) => [kind, detail])).toEqual(junk.map((entry) => ['malformed-entry', entry]));
  });

  it.each([
    ['is missing', {}, { type: 'object' }],
    ['is no schema', { inputSchema: 'any' }, { type: 'object' }],
    ['is a list', { inputSchema: [] }, { type: 'object' }],
    [
      'names no type',
      { inputSchema: { properties: { a: {} }, required: ['a'] } },
      { type: 'object', properties: { a: {} }, required: ['a'] },
    ],
    ['names another type', { inputSchema: { type: 'string' } }, { type: 'object' }],
  ])('a tool whose input schema %s takes an object, with one warning that names it', (_how, given, inputSchema) => {
    const tool = { name: 'odd', ...given };
    const { list, warnings } = read('listTools', 'tools/list', 'tools', [tool]);
    expect(list).toEqual([{ name: 'odd', inputSchema }]);
    expect(warnings).toEqual([{ kind: 'malformed-entry', message: expect.stringContaining('"odd"'), detail: tool }]);
  });

  it('a prompt without a name is left out', () => {
    const good = { name: 'p', arguments: [{ name: 'a', required: true }] };
    const { list, warnings } = read('listPrompts', 'prompts/list', 'prompts', [...junk, good]);
    expect(list).toEqual([good]);
    expect(warnings).toHaveLength(junk.length);
  });

  it('a resource without a URI is left out, and one without a name goes by its URI', () => {
    const entries = [...junk, { uri: 'a:1' }, { uri: 'a:2', name: 'two', size: 3 }];
    const { list, warnings } = read('listResources', 'resources/list', 'resources', entries);
    expect(list).toEqual([
      { uri: 'a:1', name: 'a:1' },
      { uri: 'a:2', name: 'two', size: 3 },
    ]);
    expect(warnings).toHaveLength(junk.length);
  });

  it('a template without a pattern is left out', () => {
    const good = { uriTemplate: 'a:{x}', name: 'x' };
    const { list, warnings } = read('listResourceTemplates', 'resources/templates/list', 'resourceTemplates', [
      ...junk,
      good,
    ]);
    expect(list).toEqual([good]);
    expect(warnings).toHaveLength(junk.length);
  });
});
