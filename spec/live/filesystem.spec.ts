import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { realpathSync } from 'node:fs';
import type { McpClient } from '../../src/index.js';
import { published } from '../support/servers/published.js';

describe('@modelcontextprotocol/server-filesystem', () => {
  let folder: string;
  const filesystem = (): McpClient => published('mcp-server-filesystem', [folder]);

  beforeAll(async () => {
    folder = realpathSync(await mkdtemp(join(tmpdir(), 'rx-mcp-files-')));
    await writeFile(join(folder, 'note.txt'), 'héllo\nworld\n');
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is found to be legacy, and has tools alone', async () => {
    const { promises } = filesystem();
    expect(await promises.server()).toMatchObject({ era: 'legacy', info: { name: 'secure-filesystem-server' } });
    expect(await promises.listTools()).toHaveLength(14);
    expect([await promises.listPrompts(), await promises.listResources()]).toEqual([[], []]);
  });

  it('writes and reads files through the tools', async () => {
    const { promises } = filesystem();
    const path = join(folder, 'written.txt');
    expect((await promises.callTool('write_file', { path, content: 'a\u2028b' })).isError).not.toBe(true);
    expect(await readFile(path, 'utf8')).toBe('a\u2028b');
    const read = await promises.callTool('read_text_file', { path: join(folder, 'note.txt') });
    expect(read.content[0]).toMatchObject({ type: 'text', text: 'héllo\nworld\n' });
    const listed = await promises.callTool('list_directory', { path: folder });
    expect(JSON.stringify(listed.content)).toContain('note.txt');
  });

  it('refuses as a result what lies outside its folder', async () => {
    const outside = await filesystem().promises.callTool('read_text_file', { path: join(folder, '..', 'elsewhere') });
    expect(outside.isError).toBe(true);
    expect(JSON.stringify(outside.content)).toContain('denied');
  });
});
