import { describe, expect, it } from '@jest/globals';
import { LLM_FORMATS } from '../../src/bridge/formats/formats.js';
import { Registry } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { handProvider } from '../support/providers/hand.js';

const TOOLS = ['b.c', 'b_c', 'a', 'B', 'ä', 'a_b'].map((name) => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties: { z: {}, a: {} } },
}));

describe('case 34: tools that a server lists in another order each time', () => {
  it.each(LLM_FORMATS)('are declared for %s in the same bytes', async (format) => {
    let turn = 0;
    const server = scriptedTransport({
      'tools/list': () => {
        turn += 1;
        return { tools: [...TOOLS.slice(turn % 6), ...TOOLS.slice(0, turn % 6)] };
      },
    });
    const client = connect(server);
    const [one, other] = [handProvider(['x']), handProvider(['y'])];
    const forth = new Registry().add(client, { prefix: 'a' }).add(one, { prefix: 'b' }).add(other, { prefix: 'c' });
    const back = new Registry().add(other, { prefix: 'c' }).add(one, { prefix: 'b' }).add(client, { prefix: 'a' });
    const bytes = async (registry: Registry): Promise<string> =>
      JSON.stringify(await registry.promises.toolsForLlm({ format, refresh: true }));
    const seen = new Set<string>();
    for (let times = 0; times < 6; times += 1) {
      seen.add(await bytes(forth));
      seen.add(await bytes(back));
    }
    expect([turn, seen.size]).toEqual([12, 1]);
    expect([...seen][0]).not.toBe('[]');
  });
});
