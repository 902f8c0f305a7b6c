import { describe, expect, it } from '@jest/globals';
import { InvalidMessageError, type McpClient, ProtocolError } from '../../src/index.js';
import { scriptedTransport, type Script } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, methodsOf, OPENING, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch, type Watched } from '../support/client/watch.js';

type Lister = 'listTools' | 'listPrompts' | 'listResources' | 'listResourceTemplates';

type Kind = readonly [lister: Lister, method: string, member: string, entry: (name: string) => object];

const KINDS: readonly Kind[] = [
  ['listTools', 'tools/list', 'tools', (name) => ({ name, inputSchema: { type: 'object' } })],
  ['listPrompts', 'prompts/list', 'prompts', (name) => ({ name })],
  ['listResources', 'resources/list', 'resources', (name) => ({ name, uri: `test:${name}` })],
  [
    'listResourceTemplates',
    'resources/templates/list',
    'resourceTemplates',
    (name) => ({ name, uriTemplate: `test:${name}/{x}` }),
  ],
];

const list = (client: McpClient, lister: Lister): Watched<unknown[]> => watch<unknown[]>(client[lister]());

/** Pages in the order in which they are asked for, whatever the cursor. */
const paged = (method: string, pages: readonly object[]): Script => {
  let page = 0;
  return { [method]: () => pages[page++] ?? scriptedTransport.error(-32603, 'no such page') };
};

describe.each(ERAS)('in the %s era', (era) => {
  it.each(KINDS)('%s emits all pages as one array, once, and completes', (lister, method, member, entry) => {
    const server = scriptedTransport(
      paged(method, [
        { [member]: [entry('a'), entry('b')], nextCursor: 'two' },
        { [member]: [], nextCursor: 'three' },
        { [member]: [entry('c')] },
      ]),
      { era },
    );
    const seen = list(connect(server, { era }), lister);
    expect(seen.values).toEqual([[entry('a'), entry('b'), entry('c')]]);
    expect(seen.completed).toBe(true);
    expect(sentTo(server, method).map(({ params }) => params?.['cursor'])).toEqual([undefined, 'two', 'three']);
    expect(methodsOf(server)).toEqual([...OPENING[era], method, method, method]);
  });

  it.each(KINDS)('%s is empty, without a round trip, where the capability was not declared', (lister) => {
    const server = scriptedTransport({}, { era, capabilities: {} });
    const seen = list(connect(server, { era }), lister);
    expect([seen.values, seen.completed]).toEqual([[[]], true]);
    expect(methodsOf(server)).toEqual(OPENING[era]);
  });

  it.each(KINDS)('%s is empty where the method is not known after all', (lister, method, member) => {
    const capability = member === 'resourceTemplates' ? 'resources' : member;
    const server = scriptedTransport({}, { era, capabilities: { [capability]: {} } });
    const seen = list(connect(server, { era }), lister);
    expect([seen.values, seen.completed]).toEqual([[[]], true]);
    expect(methodsOf(server)).toEqual([...OPENING[era], method]);
  });
});

const tool = (name: string): object => ({ name, inputSchema: { type: 'object' } });

const listTools = (
  pages: readonly object[],
): { server: ReturnType<typeof scriptedTransport>; seen: Watched<unknown[]> } => {
  const server = scriptedTransport(paged('tools/list', pages));
  return { server, seen: list(connect(server), 'listTools') };
};

describe('a list', () => {
  it('takes an empty string as a cursor like any other', () => {
    const { server, seen } = listTools([{ tools: [tool('a')], nextCursor: '' }, { tools: [tool('b')] }]);
    expect(seen.values).toEqual([[tool('a'), tool('b')]]);
    expect(sentTo(server, 'tools/list')[1]?.params).toHaveProperty('cursor', '');
  });

  it.each([null, 5, false])('ends where the cursor is no string, as %p is not', (nextCursor) => {
    const { server, seen } = listTools([{ tools: [tool('a')], nextCursor }]);
    expect(seen.values).toEqual([[tool('a')]]);
    expect(sentTo(server, 'tools/list')).toHaveLength(1);
  });

  it('whose cursor comes twice is an InvalidMessageError, and not a loop', () => {
    const loop = ['a', 'b', 'a'].map((nextCursor) => ({ tools: [], nextCursor }));
    const { server, seen } = listTools([...loop, ...loop]);
    expect(seen.values).toEqual([]);
    expect(seen.error).toBeInstanceOf(InvalidMessageError);
    expect(seen.error).toMatchObject({ method: 'tools/list', reason: 'the cursor "a" came twice' });
    expect(sentTo(server, 'tools/list')).toHaveLength(3);
  });

  it('without end is an InvalidMessageError after 10 000 pages', () => {
    let page = 0;
    const server = scriptedTransport({ 'tools/list': () => ({ tools: [], nextCursor: String((page += 1)) }) });
    const seen = list(connect(server), 'listTools');
    expect(seen.error).toBeInstanceOf(InvalidMessageError);
    expect(seen.error).toHaveProperty('reason', 'it has more than 10000 pages');
    expect(page).toBe(10_001);
  });

  it('of more than 100 000 entries is an InvalidMessageError, on however few pages they come', () => {
    const tools = Array.from({ length: 50_000 }, () => null);
    let page = 0;
    const server = scriptedTransport({ 'tools/list': () => ({ tools, nextCursor: String((page += 1)) }) });
    const seen = list(connect(server), 'listTools');
    expect(seen.error).toBeInstanceOf(InvalidMessageError);
    expect(seen.error).toHaveProperty('reason', 'it has more than 100000 entries');
    expect(page).toBe(3);
  });

  it('of more than 256 Mi characters is an InvalidMessageError, though each page may be as long as any message', () => {
    // One text for all the pages: it is counted as often as it comes.
    const tools = [{ name: 'a', inputSchema: {}, description: 'x'.repeat(52 * 2 ** 20) }];
    let page = 0;
    const server = scriptedTransport({ 'tools/list': () => ({ tools, nextCursor: String((page += 1)) }) });
    const seen = list(connect(server), 'listTools');
    expect(seen.error).toBeInstanceOf(InvalidMessageError);
    expect(seen.error).toHaveProperty('reason', 'its pages have more than 268435456 characters');
    expect(page).toBe(5);
  }, 60_000);

  it.each([[{}], [{ tools: null }], [{ tools: { a: 1 } }], [{ tools: 'a' }]])(
    'that is none, as in %j, is an InvalidMessageError',
    (page) => {
      const { seen } = listTools([page]);
      expect(seen.error).toBeInstanceOf(InvalidMessageError);
      expect(seen.error).toHaveProperty('reason', 'tools is not a list');
    },
  );

  it('fails as a whole with the server’s own error where a page is refused', () => {
    const { seen } = listTools([{ tools: [tool('a')], nextCursor: 'x' }]);
    expect(seen.values).toEqual([]);
    expect(seen.error).toEqual(new ProtocolError(-32603, 'no such page'));
  });

  it('is read anew by each subscriber, from the first page', () => {
    const server = scriptedTransport({
      'tools/list': ({ cursor }) =>
        cursor === undefined ? { tools: [tool('a')], nextCursor: '2' } : { tools: [tool('b')] },
    });
    const tools$ = connect(server).listTools();
    const [first, second] = [watch(tools$), watch(tools$)];
    expect(first.values).toEqual([[tool('a'), tool('b')]]);
    expect(second.values).toEqual(first.values);
    expect(second.values[0]).not.toBe(first.values[0]);
    expect(sentTo(server, 'tools/list')).toHaveLength(4);
  });

  it('gives each page the whole of timeoutMs', () => {
    inVirtualTime(({ at }) => {
      const slow = scriptedTransport.silence;
      const server = scriptedTransport({ 'tools/list': () => slow });
      const seen = watch(connect(server).listTools({ timeoutMs: 100 }));
      const answer = (id: number, result: object): void => {
        server.push({ id, result });
      };
      at(90, () => answer(2, { tools: [tool('a')], nextCursor: 'x' }));
      at(180, () => answer(3, { tools: [tool('b')], nextCursor: 'y' }));
      at(270, () => answer(4, { tools: [tool('c')] }));
      at(271, () =>
        expect(seen.marks).toEqual([
          [270, [tool('a'), tool('b'), tool('c')]],
          [270, '|'],
        ]),
      );
    });
  });

  it('asks for no further page once nobody waits for it', () => {
    const { server, seen } = ((): ReturnType<typeof listTools> => {
      const silent = scriptedTransport({ 'tools/list': scriptedTransport.silence });
      return { server: silent, seen: list(connect(silent), 'listTools') };
    })();
    seen.subscription.unsubscribe();
    server.push({ id: 2, result: { tools: [], nextCursor: 'x' } });
    expect(methodsOf(server)).toEqual(['server/discover', 'tools/list', 'notifications/cancelled']);
  });
});

describe.each(KINDS)('%s() where the handshake is refused with -32601', (lister) => {
  it('fails: only the answer to the list itself makes it empty', () => {
    const server = scriptedTransport(
      { initialize: scriptedTransport.error(-32601, 'no such thing') },
      { era: 'legacy' },
    );
    const seen = list(connect(server, { era: 'legacy' }), lister);
    expect(seen.values).toEqual([]);
    expect(seen.error).toBeInstanceOf(ProtocolError);
    expect(seen.error).toMatchObject({ code: -32601 });
  });
});
