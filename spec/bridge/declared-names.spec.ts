import { describe, expect, it } from '@jest/globals';
import { type McpClient, Registry, type Tool, Toolkit } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';

const tool = (name: string): Tool => ({ name, inputSchema: { type: 'object' } });

/** A server whose tools say their own names, and change. */
const changing = (...names: readonly string[]) => {
  let tools = names.map(tool);
  const server = scriptedTransport({
    'tools/list': () => ({ tools }),
    'tools/call': (params) => ({ content: [{ type: 'text', text: `ran ${String(params?.['name'])}` }] }),
  });
  const client = connect(server, { cache: false });
  return {
    client,
    become: (...others: readonly string[]) => {
      tools = others.map(tool);
      server.push({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    },
  };
};

const ran = async (provider: McpClient | Registry, ...names: readonly string[]): Promise<unknown[]> =>
  (await provider.promises.executeToolCalls(names.map((name) => ({ id: name, name })))).map(({ content }) => content);

describe('the names that were declared to a model', () => {
  it('mean the same tools as long as nothing else was declared, whatever the server lists since', async () => {
    const { client, become } = changing('x.y', 'x/y', 'plain');
    const names = (await client.promises.toolsForLlm()).map(({ function: { name } }) => name);
    expect(names).toHaveLength(3);
    become('x.y', 'plain');
    const [plain, ...hashed] = await ran(client, ...names);
    expect(plain).toBe('ran plain');
    expect(hashed).toContain('ran x.y');
    become('x.y', 'x/y', 'plain', 'added');
    expect((await ran(client, ...names)).sort()).toEqual(['ran plain', 'ran x.y', 'ran x/y']);
  });

  it('never come to mean another tool that is really called so', async () => {
    const { client, become } = changing('x.y');
    await client.promises.toolsForLlm();
    become('x.y', 'x_y');
    expect(await ran(client, 'x_y')).toEqual(['ran x.y']);
    await client.promises.toolsForLlm();
    expect(await ran(client, 'x_y')).toEqual(['ran x_y']);
  });

  it('mean the same in a registry that was searched since', async () => {
    const kit = new Toolkit({ name: 'kit' }).tool('x.y', { description: 'One' }, () => 'ran x.y');
    const registry = new Registry().add(kit, { prefix: 'k' });
    await registry.promises.toolsForLlm();
    kit.tool('x_y', { description: 'Another' }, () => 'ran x_y');
    await registry
      .searchable()
      .promises.executeToolCalls([{ id: 'a', name: 'search_tools', arguments: { query: 'x' } }]);
    expect(await ran(registry, 'k_x_y')).toEqual(['ran x.y']);
  });
});
