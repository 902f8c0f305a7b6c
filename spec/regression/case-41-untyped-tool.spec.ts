import { describe, expect, it } from '@jest/globals';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS } from '../support/client/scripted.js';
import { watch } from '../support/client/watch.js';

describe.each(ERAS)('case 41: a tool without inputSchema.type, in the %s era', (era) => {
  it('gets an object schema and a warning, and the others are untouched', async () => {
    const before = { name: 'before', inputSchema: { type: 'object', additionalProperties: false } };
    const untyped = { name: 'untyped', description: 'd', inputSchema: { properties: { a: { type: 'string' } } } };
    const bare = { name: 'bare' };
    const after = { name: 'after', inputSchema: { type: 'object' } };
    const server = scriptedTransport(
      { 'tools/list': { tools: [before, untyped, bare, after] }, 'tools/call': { content: [] } },
      { era },
    );
    const client = connect(server, { era });
    const warnings = watch(client.warnings$).values;
    expect(await client.promises.listTools()).toEqual([
      before,
      { ...untyped, inputSchema: { type: 'object', properties: { a: { type: 'string' } } } },
      { name: 'bare', inputSchema: { type: 'object' } },
      after,
    ]);
    expect(warnings.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['malformed-entry', untyped],
      ['malformed-entry', bare],
    ]);
    expect(await client.promises.callTool('untyped', { a: 'x' })).toMatchObject({ content: [] });
  });
});
