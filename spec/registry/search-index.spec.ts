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

  it('reads tools and queries in the same way', async () => {
    const index = await indexOf(
      tool('a', 'Takes userId=5\tand `maxItems`'),
      tool('b', 'Setzt größenTabelle'),
      tool('gro\u0308ße'),
    );
    expect([found(index, 'userId'), found(index, 'user'), found(index, 'id 5'), found(index, 'items')]).toEqual([
      ...[['a'], ['a'], ['a'], ['a']],
    ]);
    expect([found(index, 'tabelle'), found(index, 'userid'), found(index, 'gr\u00f6ße')]).toEqual([
      ...[['b'], ['a'], ['größe'.normalize('NFD'), 'b']],
    ]);
  });

  it('leaves words whole that are written with marks', async () => {
    const index = await indexOf(tool('a', 'मौसम की जानकारी'), tool('b', 'मनोरंजन'), tool('c', 'समय'));
    expect([found(index, 'मौसम'), found(index, 'मौ'), found(index, 'जानकारी')]).toEqual([['a'], ['a'], ['a']]);
  });

  it.each([
    ['Chinese', '获取指定城市的天气预报', '天气'],
    ['Japanese', '東京の天気予報を調べる', '天気予報'],
    ['Japanese, of one syllabary', 'ファイルをダウンロードする', 'ダウンロード'],
    ['Japanese, of half the width', 'ﾌｧｲﾙをﾀﾞｳﾝﾛｰﾄﾞする', 'ダウンロード'],
    ['Thai', 'ตรวจสอบสภาพอากาศวันนี้', 'อากาศ'],
    ['Lao', 'ກວດສອບສະພາບອາກາດ', 'ອາກາດ'],
    ['Khmer', 'ពិនិត្យអាកាសធាតុ', 'អាកាសធាតុ'],
    ['Burmese', 'မိုးလေဝသကိုစစ်ဆေးပါ', 'လေဝသ'],
  ])('finds words inside of a text without spaces: %s', async (_, description, query) => {
    const index = await indexOf(tool('other', 'Does something else'), tool('it', description));
    expect(found(index, query)).toEqual(['it']);
  });

  it('takes one character of such a text for a word of its own, or for the beginning of one', async () => {
    const index = await indexOf(tool('web検索'), tool('雪 x'), tool('雪国'), tool('𠮷野家'));
    expect([found(index, '検索'), found(index, 'web'), found(index, '𠮷野')]).toEqual([
      ['web検索'],
      ['web検索'],
      ['𠮷野家'],
    ]);
    expect(found(index, '雪')).toEqual(['雪 x', '雪国']);
  });

  it('takes words that are begun from two letters on, where they are not of the ASCII', async () => {
    const index = await indexOf(tool('a', '오늘 날씨를 알려줍니다'), tool('weather'));
    expect([found(index, '날씨'), found(index, 'we'), found(index, 'wea')]).toEqual([['a'], [], ['weather']]);
  });

  it('reads 300 characters of a query, and takes very long words as they are', async () => {
    const index = await indexOf(tool('apple'), tool('banana'), tool('x'.repeat(52)), tool('long', 'z'.repeat(60_000)));
    expect(found(index, `apple${' '.repeat(300)} banana`)).toEqual(['apple']);
    expect(found(index, `${'q'.repeat(60_000)} apple`)).toEqual([]);
    expect([found(index, 'x'.repeat(52)).length, found(index, `${'x'.repeat(51)}y`)]).toEqual([1, []]);
    expect(found(index, `${'z'.repeat(299)}\u{1f600}`)).toEqual(['long']);
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
    const throwing = (): never => {
      throw new Error('not today');
    };
    const cyclic: Record<string, unknown> = { description: 'round' };
    cyclic['self'] = cyclic;
    const index = await indexOf(
      ...odd,
      Object.defineProperty(tool('g', 'seventh'), 'inputSchema', { get: throwing, enumerable: true }),
      tool('h', 'eighth', Object.defineProperty({ deep: {} }, 'bad', { get: throwing, enumerable: true })),
      tool('i', 'ninth', { cyclic }),
      Object.defineProperty(tool('j'), 'description', { get: throwing }),
      Object.defineProperty(tool('k', 'tenth'), 'name', { get: throwing }),
      tool(5 as unknown as string, 'tenth'),
      null as unknown as Tool,
    );
    expect(['seventh', 'eighth', 'deep', 'round', 'j', 'tenth'].map((query) => found(index, query))).toEqual([
      ...[['g'], ['h'], ['h'], ['i'], ['j'], []],
    ]);
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
