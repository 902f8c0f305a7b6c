import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { firstValueFrom } from 'rxjs';
import { SearchIndex, textOf } from '../../src/registry/search-index.js';
import { Registry, type Tool } from '../../src/index.js';
import { published } from '../support/servers/published.js';

const tool = (name: string, description?: unknown, properties: object = {}, more: object = {}): Tool =>
  ({ name, description, inputSchema: { type: 'object', properties }, ...more }) as Tool;

const indexOf = (...tools: readonly Tool[]): Promise<SearchIndex> => firstValueFrom(SearchIndex.of(tools));

const found = (index: SearchIndex, query: string, limit = 10): string[] =>
  index.search(query, limit).map(({ name }) => name);

describe('a search of tools', () => {
  it('finds them by the words of their names, however they are joined', async () => {
    const index = await indexOf(tool('getWeather_forCity'), tool('files.read/all'), tool('readme'));
    expect(found(index, 'weather')).toEqual(['getWeather_forCity']);
    expect(found(index, 'forCity')).toEqual(['getWeather_forCity']);
    expect(found(index, 'get-weather')).toEqual(['getWeather_forCity']);
    expect(found(index, 'FILES all')).toEqual(['files.read/all']);
    expect(found(index, 'getWeather_forCity')).toEqual(['getWeather_forCity']);
  });

  it('finds them by title, description and parameters', async () => {
    const index = await indexOf(
      tool('a', 'Draws a circle'),
      tool('b', 'Does things', { latitude: { type: 'number' } }),
      tool('c', 'Does things', { x: { description: 'the colour of the sky' } }),
      tool('d', undefined, {}, { title: 'Translate' }),
    );
    expect(['circle', 'latitude', 'colour', 'translate'].map((query) => found(index, query))).toEqual([
      ['a'],
      ['b'],
      ['c'],
      ['d'],
    ]);
  });

  it('puts a name that fits before a description that mentions it', async () => {
    const index = await indexOf(
      tool('archive', 'Use it in place of delete: what you delete is gone'),
      tool('delete', 'Removes a file'),
    );
    expect(found(index, 'delete')).toEqual(['delete', 'archive']);
  });

  it('takes words that are begun, and long ones that are misspelt', async () => {
    const index = await indexOf(tool('translate'), tool('cat'));
    expect([found(index, 'trans'), found(index, 'tranlsate'), found(index, 'cot')]).toEqual([
      ['translate'],
      ['translate'],
      [],
    ]);
  });

  it('finds words that are not English', async () => {
    const index = await indexOf(tool('größe', 'Misst die Länge'), tool('天気', '今日の 天気'));
    expect([found(index, 'GRÖSSE größe'), found(index, 'länge'), found(index, '天気')]).toEqual([
      ['größe'],
      ['größe'],
      ['天気'],
    ]);
  });

  it('gives at most as many as are asked for, and none for no words', async () => {
    const index = await indexOf(...Array.from({ length: 20 }, (_, n) => tool(`read_${n}`)));
    expect([found(index, 'read', 3).length, found(index, 'read', 50).length]).toEqual([3, 20]);
    expect(['', '  ', '_/-', 'unheard'].map((query) => found(index, query))).toEqual([[], [], [], []]);
  });

  it('takes tools that are described badly', async () => {
    const odd = [
      tool('a', 5),
      tool('b', null, [] as object),
      { name: 'c' } as Tool,
      { name: 'd', inputSchema: null } as unknown as Tool,
      tool('constructor', 'toString'),
      tool('f', 'x', { y: null, z: 'text', w: { description: 7 } }),
      tool('a', 'the second of its name'),
    ];
    const index = await indexOf(...odd);
    expect(found(index, 'constructor')).toEqual(['constructor']);
    expect(found(index, 'second')).toEqual(['a']);
    expect([textOf('x'), textOf(5)]).toEqual(['x', '']);
  });
});

describe('a search of 5 000 tools', () => {
  it('finds the one', async () => {
    const many = Array.from({ length: 5_000 }, (_, n) => tool(`server${n % 50}_tool${n}`, `Handles case ${n}`));
    const index = await indexOf(...many, tool('mail_send', 'Sends an email to somebody', { to: {}, subject: {} }));
    expect(found(index, 'send an email', 1)).toEqual(['mail_send']);
    expect(found(index, 'tool4711', 1)).toEqual(['server11_tool4711']);
  });
});

describe('a search of the tools of published servers', () => {
  let index: SearchIndex;

  beforeAll(async () => {
    const registry = new Registry()
      .add(published('mcp-server-everything', []), { prefix: 'everything' })
      .add(published('mcp-server-filesystem', [tmpdir()]), { prefix: 'files' })
      .add(published('mcp-server-memory', [], { env: { MEMORY_FILE_PATH: join(tmpdir(), 'never-written') } }), {
        prefix: 'memory',
      });
    index = await indexOf(...(await registry.promises.listTools()));
  });

  it.each([
    ['read a text file', ['files_read_text_file']],
    ['list directory', ['files_list_directory']],
    ['move or rename a file', ['files_move_file']],
    ['create entities in the knowledge graph', ['memory_create_entities']],
    ['search nodes', ['memory_search_nodes']],
    ['delete relations', ['memory_delete_relations']],
    ['add two numbers', ['everything_get-sum']],
    ['echo', ['everything_echo']],
    ['long running operation', ['everything_trigger-long-running-operation']],
    ['directory tree', ['files_directory_tree']],
  ])('puts first for %j: %j', (query, [best = '']) => {
    expect(found(index, query)[0]).toBe(best);
  });
});
