import { describe, expect, it } from '@jest/globals';
import { OutputInvalidError } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS } from '../support/client/scripted.js';
import { rejection, watch } from '../support/client/watch.js';

const inputSchema = { type: 'object' };
const bad = { name: 'bad', inputSchema, outputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/gone' } } } };
const good = { name: 'good', inputSchema, outputSchema: { type: 'object', required: ['a'] } };

describe.each(ERAS)('case 19: one output schema with a bad $ref, in the %s era', (era) => {
  const server = () =>
    scriptedTransport(
      { 'tools/list': { tools: [bad, good] }, 'tools/call': { content: [], structuredContent: { a: 1 } } },
      { era },
    );

  it('costs no list, and no call of another tool', async () => {
    const client = connect(server(), { era, validateOutput: 'error' });
    const warnings = watch(client.warnings$).values;
    expect(await client.promises.listTools()).toEqual([bad, good]);
    expect(warnings).toEqual([]);
    expect(await client.promises.callTool('good')).toHaveProperty('structuredContent', { a: 1 });
  });

  it('is one warning when its tool is called, and the result is there', async () => {
    const client = connect(server(), { era });
    const warnings = watch(client.warnings$).values;
    await client.promises.listTools();
    for (let call = 0; call < 3; call += 1) {
      expect(await client.promises.callTool('bad')).toHaveProperty('structuredContent', { a: 1 });
    }
    expect(warnings.map(({ kind }) => kind)).toEqual(['output-schema']);
    expect(warnings[0]?.message).toContain('"bad"');
  });

  it('is an explicit error where output must be valid', async () => {
    const client = connect(server(), { era, validateOutput: 'error' });
    await client.promises.listTools();
    expect(await rejection(client.promises.callTool('bad'))).toBeInstanceOf(OutputInvalidError);
  });
});
