import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { McpClient } from '../../src/index.js';
import { published } from '../support/servers/published.js';

describe('@modelcontextprotocol/server-memory', () => {
  let folder: string;
  const memory = (): McpClient =>
    published('mcp-server-memory', [], { env: { MEMORY_FILE_PATH: join(folder, 'graph.jsonl') } });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rx-mcp-graph-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is found to be legacy, and lists its tools and its resource', async () => {
    const { promises } = memory();
    expect(await promises.server()).toMatchObject({ era: 'legacy', info: { name: 'memory-server' } });
    expect((await promises.listTools()).map(({ name }) => name)).toContain('read_graph');
    expect((await promises.listResources()).map(({ uri }) => uri)).toEqual(['memory://knowledge-graph']);
  });

  it('remembers from one process to the next, in the place its environment names', async () => {
    const first = memory();
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }];
    await first.promises.callTool('create_entities', { entities });
    await first.close();
    const { promises } = memory();
    await promises.listTools();
    const found = await promises.callTool('search_nodes', { query: 'program' });
    expect(found.structuredContent).toMatchObject({ entities: [{ name: 'Ada' }] });
    const { contents } = await promises.readResource('memory://knowledge-graph');
    expect(JSON.stringify(contents)).toContain('wrote the first program');
  });
});
