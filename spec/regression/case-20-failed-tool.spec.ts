import { describe, expect, it } from '@jest/globals';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS } from '../support/client/scripted.js';
import { watch } from '../support/client/watch.js';

describe.each(ERAS)('case 20: a tool with an output schema that fails, in the %s era', (era) => {
  it.each([
    ['nothing structured', {}],
    ['what its schema does not allow', { structuredContent: { code: 'ENOENT' } }],
  ])('with %s says why it failed: its output is never validated', async (_what, more) => {
    const outputSchema = { type: 'object', required: ['sum'], additionalProperties: false };
    const failure = { content: [{ type: 'text', text: 'no such file' }], isError: true, ...more };
    for (const schema of [outputSchema, { $ref: '#/nowhere' }]) {
      const server = scriptedTransport(
        {
          'tools/list': { tools: [{ name: 't', inputSchema: { type: 'object' }, outputSchema: schema }] },
          'tools/call': failure,
        },
        { era },
      );
      const client = connect(server, { era, validateOutput: 'error' });
      const warnings = watch(client.warnings$).values;
      await client.promises.listTools();
      expect(await client.promises.callTool('t')).toEqual({ ...failure, resultType: 'complete' });
      expect(warnings).toEqual([]);
    }
  });
});
