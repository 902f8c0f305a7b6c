import { describe, expect, it } from '@jest/globals';
import { MessageTooLargeError } from '../../src/index.js';
import { rejection, watch } from '../support/client/watch.js';
import { field } from '../support/servers/field.js';

describe('case 11: an answer that is too large', () => {
  it('fails its own call with the facts, and the connection and the other calls live', async () => {
    const client = field('plain', '', { maxMessageBytes: 100_000 });
    const { promises } = client;
    const states = watch(client.state$).values;
    const warnings = watch(client.warnings$).values;
    await promises.server();
    const [large, small] = await Promise.all([
      rejection(promises.callTool('echo', { size: 1_000_000 })),
      promises.callTool('echo', { text: 'small' }),
    ]);
    expect(large).toBeInstanceOf(MessageTooLargeError);
    expect(large).toMatchObject({ limit: 100_000 });
    expect((large as MessageTooLargeError).bytes).toBeGreaterThan(1_000_000);
    expect(small.content).toEqual([{ type: 'text', text: 'small' }]);
    expect((await promises.callTool('echo', { text: 'again' })).content).toEqual([{ type: 'text', text: 'again' }]);
    expect(states.map(({ status }) => status)).toEqual(['idle', 'connecting', 'connected']);
    expect(warnings).toEqual([]);
  });

  it('of eleven megabytes is none by default', async () => {
    const { content } = await field('plain').promises.callTool('echo', { size: 11_534_336 });
    expect(content[0]).toHaveProperty('text.length', 11_534_336);
  });
});
