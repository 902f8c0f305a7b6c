import { describe, expect, it } from '@jest/globals';
import { watch } from '../support/client/watch.js';
import { field } from '../support/servers/field.js';

describe('case 12: banners and log lines on stdout', () => {
  it('are one warning each, and nothing else: the calls go on', async () => {
    const client = field('banner');
    const warnings = watch(client.warnings$);
    const states = watch(client.state$).values;
    const { promises } = client;
    expect(await promises.era()).toBe('legacy');
    expect(await promises.listTools()).toHaveLength(1);
    expect((await promises.callTool('echo', { text: 'hi' })).content).toEqual([{ type: 'text', text: 'hi' }]);
    expect(warnings.values.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['invalid-message', 'Welcome to field server 1.0!'],
      ['invalid-message', '\u001b[32m✓\u001b[0m listening on stdio'],
      ['invalid-message', '[info] got server/discover'],
      ['invalid-message', '[info] got initialize'],
      ['invalid-message', '[info] got tools/list'],
      ['invalid-message', '[info] got tools/call'],
    ]);
    expect(states.map(({ status }) => status)).toEqual(['idle', 'connecting', 'connected']);
  });
});
