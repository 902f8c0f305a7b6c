import { describe, expect, it } from '@jest/globals';
import { watch } from '../support/client/watch.js';
import { field } from '../support/servers/field.js';

describe('case 47: a list of 1 083 tools on one line of a megabyte', () => {
  it('is nothing special', async () => {
    const client = field('crowd', '1083');
    const warnings = watch(client.warnings$).values;
    const tools = await client.promises.listTools();
    expect(tools).toHaveLength(1_083);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(1_083);
    expect(JSON.stringify(tools).length).toBeGreaterThan(1_000_000);
    expect(warnings).toEqual([]);
    expect((await client.promises.callTool('tool_1082', { text: 'last' })).content).toEqual([
      { type: 'text', text: 'last' },
    ]);
  });
});
