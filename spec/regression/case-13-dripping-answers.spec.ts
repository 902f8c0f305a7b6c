import { describe, expect, it } from '@jest/globals';
import { watch } from '../support/client/watch.js';
import { field } from '../support/servers/field.js';

describe('case 13: a server that writes byte by byte', () => {
  it('has its characters arrive whole', async () => {
    const client = field('drip');
    const warnings = watch(client.warnings$).values;
    const text = 'ä € 日本語 👩‍👩‍👧‍👦 \u2028 "quoted\\n"';
    expect((await client.promises.callTool('echo', { text })).content).toEqual([{ type: 'text', text }]);
    expect(warnings).toEqual([]);
  });
});
