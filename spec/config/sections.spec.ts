import { describe, expect, it } from '@jest/globals';
import { Problems } from '../../src/config/problem.js';
import { sectionsOf } from '../../src/config/sections.js';

const SERVER = { command: 'x' };

const found = (root: unknown) => {
  const problems = new Problems();
  const sections = sectionsOf(root, '/work/app', problems);
  return {
    paths: sections.map(({ path }) => path),
    problems: problems.all.map(({ level, path }) => `${level} ${path}`),
  };
};

describe('sectionsOf', () => {
  it.each([
    [{ mcpServers: { a: SERVER }, theme: 'dark' }, ['/mcpServers']],
    [{ servers: { a: SERVER } }, ['/servers']],
    [{ mcp: { servers: { a: SERVER } }, 'editor.tabSize': 2 }, ['/mcp/servers']],
    [{ a: SERVER, b: { url: 'http://h' } }, ['']],
    [{ mcpServers: {} }, ['/mcpServers']],
    [
      { projects: { '/work/app': { mcpServers: { a: SERVER } }, '/other': { mcpServers: {} } }, mcpServers: {} },
      ['/projects/~1work~1app/mcpServers', '/mcpServers'],
    ],
  ])('finds the servers in %j', (root, paths) => {
    expect(found(root)).toEqual({ paths, problems: [] });
  });

  it.each([
    [[], 'error '],
    [null, 'error '],
    ['x', 'error '],
    [{}, 'warning '],
    [{ theme: 'dark' }, 'warning '],
    [{ mcpServers: [] }, 'error /mcpServers'],
    [{ mcp_servers: {} }, 'error /mcp_servers'],
    [{ McpServers: {} }, 'error /McpServers'],
  ])('says what is wrong with %j', (root, problem) => {
    expect(found(root)).toEqual({ paths: [], problems: [problem] });
  });

  it('says that nobody asks for the inputs of an editor', () => {
    const inputs = [{ id: 'key', type: 'promptString' }];
    expect(found({ servers: {}, inputs }).problems).toEqual(['warning /inputs']);
    expect(found({ mcp: { servers: {}, inputs } }).problems).toEqual(['warning /mcp/inputs']);
    expect(found({ servers: {}, inputs: [] }).problems).toEqual([]);
  });
});
