import { describe, expect, it } from '@jest/globals';
import { map, NEVER, Observable, timer } from 'rxjs';
import {
  type CacheEntry,
  type CacheStore,
  CancelledError,
  type ClientOptions,
  type Connector,
  EraCache,
  type McpClient,
  MemoryCacheStore,
  ProtocolError,
  TransportError,
} from '../../src/index.js';
import { type Script, type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { acknowledging } from '../support/client/listening.js';
import { methodsOf, scriptedLives, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

const tool = (name: string): { name: string; inputSchema: { type: 'object' } } => ({
  name,
  inputSchema: { type: 'object' },
});

const fresh = { ttlMs: 1_000, cacheScope: 'private' };

/** A server whose answers say how often it was asked. */
const counting = (more: object = fresh, script: Script = {}, era: 'modern' | 'legacy' = 'modern') => {
  let asked = 0;
  const next = (): string => String((asked += 1));
  const server = scriptedTransport(
    {
      'tools/list': () => ({ tools: [tool(next())], ...more }),
      'prompts/list': () => ({ prompts: [{ name: next() }], ...more }),
      'resources/list': () => ({ resources: [{ name: next(), uri: 'a:b' }], ...more }),
      'resources/templates/list': () => ({ resourceTemplates: [{ name: next(), uriTemplate: 'a:{b}' }], ...more }),
      'resources/read': ({ uri }) => ({ contents: [{ uri, text: next() }], ...more }),
      'subscriptions/listen': acknowledging(),
      ...script,
    },
    { era },
  );
  return server;
};

const textOf = (contents: object | undefined): unknown => (contents as { text?: string } | undefined)?.text;

type Reader = readonly [what: string, read: (client: McpClient, options?: object) => Observable<unknown>];

const READERS: readonly Reader[] = [
  ['listTools', (client, options) => client.listTools(options).pipe(map(([first]) => first?.name))],
  ['listPrompts', (client, options) => client.listPrompts(options).pipe(map(([first]) => first?.name))],
  ['listResources', (client, options) => client.listResources(options).pipe(map(([first]) => first?.name))],
  ['listResourceTemplates', (client, options) => client.listResourceTemplates(options).pipe(map(([one]) => one?.name))],
  [
    'readResource',
    (client, options) => client.readResource('a:b', options).pipe(map(({ contents: [one] }) => textOf(one))),
  ],
];

const [[, listTools]] = READERS as [Reader];

describe.each(READERS)('%s', (_what, read) => {
  it('is served from the cache until its ttl is over, to the millisecond', () => {
    inVirtualTime(({ at }) => {
      const client = connect(counting());
      const now = (): unknown => watch(read(client)).values[0];
      expect(now()).toBe('1');
      at(999, () => expect(now()).toBe('1'));
      at(1_000, () => expect(now()).toBe('2'));
      at(1_999, () => expect(now()).toBe('2'));
    });
  });

  it.each([
    [0, 'private'],
    [-1, 'public'],
    [undefined, 'public'],
    [null, 'private'],
  ])('is not kept where its ttl is %p', (ttlMs, cacheScope) => {
    inVirtualTime(() => {
      const client = connect(counting({ ttlMs, cacheScope }));
      expect([watch(read(client)).values, watch(read(client)).values]).toEqual([['1'], ['2']]);
    });
  });

  it('is kept for a day at most', () => {
    inVirtualTime(({ at }) => {
      const client = connect(counting({ ttlMs: 1e12 }));
      watch(read(client));
      at(86_399_999, () => expect(watch(read(client)).values).toEqual(['1']));
      at(86_400_000, () => expect(watch(read(client)).values).toEqual(['2']));
    });
  });

  it('is never kept in the legacy era, whatever the server says', () => {
    inVirtualTime(() => {
      const store = new MemoryCacheStore();
      const client = connect(counting(fresh, {}, 'legacy'), { era: 'legacy', cache: store });
      expect([watch(read(client)).values, watch(read(client)).values]).toEqual([['1'], ['2']]);
      expect(store.size).toBe(0);
    });
  });

  it('is not kept where the client keeps nothing', () => {
    inVirtualTime(() => {
      const client = connect(counting(), { cache: false });
      expect([watch(read(client)).values, watch(read(client)).values]).toEqual([['1'], ['2']]);
    });
  });

  it('asks the server for a refresh, and serves what it had from then on', () => {
    inVirtualTime(() => {
      const client = connect(counting());
      watch(read(client));
      expect(watch(read(client, { refresh: true })).values).toEqual(['2']);
      expect(watch(read(client)).values).toEqual(['2']);
    });
  });

  it('is one request for all who ask at the same time, and another for the next', () => {
    inVirtualTime(({ at }) => {
      const slow = counting(fresh, slowly(100, 0));
      const client = connect(slow);
      const seen = [watch(read(client)), watch(read(client))];
      at(50, () => seen.push(watch(read(client))));
      at(101, () => {
        expect(seen.map(({ values }) => values)).toEqual([['1'], ['1'], ['1']]);
        expect(seen.every(({ completed }) => completed)).toBe(true);
        const later = watch(read(client));
        at(101, () => expect(later.values).toEqual(['2']));
      });
    });
  });

  it('is the stale one where the server fails and that will do', () => {
    inVirtualTime(({ at }) => {
      const failing = { now: false };
      const client = connect(counting(fresh, orFail(failing)));
      watch(read(client));
      at(5_000, () => {
        failing.now = true;
        expect(watch(read(client)).error).toEqual(new ProtocolError(-32603, 'down'));
        expect(watch(read(client, { staleOnError: true })).values).toEqual(['1']);
        expect(watch(read(client, { staleOnError: true, refresh: true })).values).toEqual(['1']);
      });
    });
  });

  it('is the failure where nothing was kept, whatever will do', () => {
    inVirtualTime(() => {
      const client = connect(counting(fresh, orFail({ now: true })));
      expect(watch(read(client, { staleOnError: true })).error).toEqual(new ProtocolError(-32603, 'down'));
    });
  });

  it('is the stale one where the server cannot be reached any more', () => {
    inVirtualTime(({ at }) => {
      let up = true;
      const opened: ScriptedTransport[] = [];
      const gone = new TransportError(new Error('gone'));
      const lives: Connector = () =>
        new Observable((subscriber) => {
          const server = counting();
          if (!up) subscriber.error(gone);
          else {
            opened.push(server);
            subscriber.next(server);
          }
        });
      const client = connect(lives);
      watch(read(client));
      at(5_000, () => {
        up = false;
        opened[0]?.die(gone);
        expect(watch(read(client)).error).toBe(gone);
        expect(watch(read(client, { staleOnError: true })).values).toEqual(['1']);
      });
    });
  });

  it('is no stale one where the caller itself gave it up', () => {
    inVirtualTime(({ at }) => {
      const client = connect(counting(fresh, slowly(100)));
      const aborting = new AbortController();
      watch(read(client));
      at(2_000, () => {
        const seen = watch(read(client, { staleOnError: true, signal: aborting.signal }));
        at(50, () => aborting.abort('enough'));
        at(60, () => {
          expect(seen.error).toBeInstanceOf(CancelledError);
          expect(seen.values).toEqual([]);
        });
      });
    });
  });
});

/** The same answers, after a while. */
const slowly = (ms: number, ttlMs = 1_000): Script => {
  let asked = 0;
  const after = (make: (name: string) => object) => (): object => {
    asked += 1;
    const name = String(asked);
    return timer(ms).pipe(map(() => ({ ...fresh, ttlMs, ...make(name) })));
  };
  return {
    'tools/list': after((name) => ({ tools: [tool(name)] })),
    'prompts/list': after((name) => ({ prompts: [{ name }] })),
    'resources/list': after((name) => ({ resources: [{ name, uri: 'a:b' }] })),
    'resources/templates/list': after((name) => ({ resourceTemplates: [{ name, uriTemplate: 'x' }] })),
    'resources/read': after((name) => ({ contents: [{ uri: 'a:b', text: name }] })),
  };
};

/** The same answers, or an error from some moment on. */
const orFail = (failing: { now: boolean }): Script => {
  const answer = (result: object) => (): object =>
    failing.now ? scriptedTransport.error(-32603, 'down') : { ...fresh, ...result };
  return {
    'tools/list': answer({ tools: [tool('1')] }),
    'prompts/list': answer({ prompts: [{ name: '1' }] }),
    'resources/list': answer({ resources: [{ name: '1', uri: 'a:b' }] }),
    'resources/templates/list': answer({ resourceTemplates: [{ name: '1', uriTemplate: 'a' }] }),
    'resources/read': answer({ contents: [{ uri: 'a:b', text: '1' }] }),
  };
};

describe('reads that are under way', () => {
  it('are apart where anything but freshness is asked for', () => {
    inVirtualTime(({ at }) => {
      const server = counting(fresh, slowly(100, 0));
      const client = connect(server);
      const apart = [
        {},
        { timeoutMs: 500 },
        { signal: new AbortController().signal },
        { meta: { 'x.y/z': 1 } },
        { refresh: true },
        { staleOnError: true },
      ];
      for (const options of apart) watch(client.listTools(options));
      watch(client.listTools());
      watch(client.listTools({ refresh: false }));
      watch(client.listTools({ staleOnError: undefined, timeoutMs: undefined }));
      watch(client.listTools({ refresh: true }));
      at(101, () => expect(sentTo(server, 'tools/list')).toHaveLength(apart.length));
    });
  });

  it('are apart where they are of different things', () => {
    inVirtualTime(({ at }) => {
      const server = counting(fresh, slowly(100, 0));
      const client = connect(server);
      watch(client.readResource('a:1'));
      watch(client.readResource('a:2'));
      watch(client.readResource('a:1', { observe: 'events' }));
      at(101, () => expect(sentTo(server, 'resources/read')).toHaveLength(3));
    });
  });

  it('go on while one who asked remains, and are given up with the last', () => {
    inVirtualTime(({ at }) => {
      const server = counting(fresh, slowly(100, 0));
      const client = connect(server);
      const [first, second] = [watch(client.listTools()), watch(client.listTools())];
      at(10, () => {
        first.subscription.unsubscribe();
        expect(methodsOf(server)).not.toContain('notifications/cancelled');
        second.subscription.unsubscribe();
        expect(methodsOf(server).at(-1)).toBe('notifications/cancelled');
        const third = watch(client.listTools());
        at(101, () => expect(third.values).toEqual([[tool('2')]]));
      });
    });
  });

  it('fail together, and the next one is asked anew', () => {
    inVirtualTime(() => {
      const failing = { now: true };
      const client = connect(counting(fresh, orFail(failing)));
      const seen = [watch(client.listTools()), watch(client.listTools())];
      expect(seen.map(({ error }) => error)).toEqual(seen.map(() => new ProtocolError(-32603, 'down')));
      failing.now = false;
      expect(watch(client.listTools()).values).toEqual([[tool('1')]]);
    });
  });

  it('are another request for whoever asks again from within the answer', () => {
    inVirtualTime(({ at }) => {
      const server = counting(fresh, slowly(100, 0));
      const client = connect(server);
      const again: unknown[] = [];
      client.listTools({ refresh: true }).subscribe(() => {
        client.listTools({ refresh: true }).subscribe((tools) => again.push(tools));
      });
      at(250, () => {
        expect(again).toEqual([[tool('2')]]);
        expect(sentTo(server, 'tools/list')).toHaveLength(2);
      });
    });
  });
});

describe('a change notice', () => {
  const KINDS: readonly (readonly [string, object, readonly string[]])[] = [
    ['notifications/tools/list_changed', {}, ['listTools']],
    ['notifications/prompts/list_changed', {}, ['listPrompts']],
    ['notifications/resources/list_changed', {}, ['listResources', 'listResourceTemplates']],
    ['notifications/resources/updated', { uri: 'a:b' }, ['readResource']],
    ['notifications/resources/updated', { uri: 'a:c' }, []],
    ['notifications/resources/updated', {}, []],
    ['notifications/unheard/of', {}, []],
  ];

  it.each(KINDS)('%s %j makes stale at once what it is about, and nothing else', (method, params, stale) => {
    inVirtualTime(() => {
      const server = counting();
      const client = connect(server);
      for (const [, read] of READERS) watch(read(client));
      server.push({ method, params: params as Record<string, unknown> });
      const before = server.sent.length;
      const asked = READERS.filter(([, read]) => {
        const { length } = server.sent;
        watch(read(client));
        return server.sent.length > length;
      });
      expect(asked.map(([what]) => what)).toEqual(stale);
      expect(server.sent.length - before).toBe(stale.length);
    });
  });

  it('leaves what is stale for a server that fails', () => {
    inVirtualTime(() => {
      const failing = { now: false };
      const server = counting(fresh, orFail(failing));
      const client = connect(server);
      watch(client.listTools());
      failing.now = true;
      server.push({ method: 'notifications/tools/list_changed' });
      expect(watch(client.listTools({ staleOnError: true })).values).toEqual([[tool('1')]]);
    });
  });

  it('outdates what is being read: it is not kept, and who asks later is not served by it', () => {
    inVirtualTime(({ at }) => {
      const server = counting(fresh, slowly(100));
      const client = connect(server);
      const before = watch(client.listTools());
      const resource = watch(client.readResource('a:b'));
      at(50, () => {
        server.push({ method: 'notifications/tools/list_changed' });
        server.push({ method: 'notifications/resources/updated', params: { uri: 'a:b' } });
      });
      at(60, () => {
        const after = watch(client.listTools());
        at(101, () => expect(after.values).toEqual([[tool('3')]]));
      });
      at(110, () => {
        expect([before.values, resource.completed]).toEqual([[[tool('1')]], true]);
        expect(watch(client.readResource('a:b')).values).toEqual([]);
      });
      at(180, () => expect(watch(client.listTools()).values).toEqual([[tool('3')]]));
    });
  });

  it.each([
    ['tools/list_changed', {}, (client: McpClient) => client.listTools()],
    ['resources/updated', { uri: 'a:b' }, (client: McpClient) => client.readResource('a:b')],
  ] as const)('%s that comes before the answer has what was answered asked for again', (what, params, read) => {
    inVirtualTime(({ at }) => {
      const server = counting(fresh, slowly(100));
      const client = connect(server);
      const before = watch<unknown>(read(client));
      at(50, () => server.push({ method: `notifications/${what}`, params }));
      at(150, () => {
        expect(before.values).toHaveLength(1);
        const { length } = server.sent;
        watch<unknown>(read(client));
        expect(server.sent.length).toBe(length + 1);
      });
    });
  });

  it('outdates what is being read in the legacy era, too', () => {
    inVirtualTime(({ at }) => {
      const server = counting(fresh, slowly(100), 'legacy');
      const client = connect(server, { era: 'legacy' });
      watch(client.listTools());
      at(50, () => server.push({ method: 'notifications/tools/list_changed' }));
      at(60, () => {
        const after = watch(client.listTools());
        at(101, () => expect(after.values).toEqual([[tool('2')]]));
      });
    });
  });
});

describe('a result that took the application’s help', () => {
  it('is not kept: it depends on what was answered', async () => {
    const ask = { method: 'elicitation/create', params: { message: 'who?', requestedSchema: { type: 'object' } } };
    const server = counting(fresh, {
      'resources/read': ({ inputResponses }) =>
        inputResponses === undefined
          ? { resultType: 'input_required', inputRequests: { q: ask } }
          : { ...fresh, contents: [] },
    });
    const store = new MemoryCacheStore();
    const client = connect(server, { cache: store, onElicit: () => ({ action: 'accept', content: {} }) });
    await client.promises.readResource('a:b');
    await client.promises.readResource('a:b');
    expect(sentTo(server, 'resources/read')).toHaveLength(4);
    expect(store.size).toBe(0);
  });
});

describe('a store that clients share', () => {
  const reaching = (server: ScriptedTransport, identity?: string, partition?: string): Connector =>
    Object.assign(
      scriptedLives(() => server),
      { identity, partition },
    );

  const named = (name: string, cacheScope: string): ScriptedTransport =>
    scriptedTransport({
      'tools/list': { tools: [tool(name)], ttlMs: 1_000, cacheScope },
      'resources/read': { contents: [{ uri: 'a:b', text: name }], ttlMs: 1_000, cacheScope },
    });

  const seenBy = (cache: CacheStore, wires: readonly Connector[], options: ClientOptions = {}): unknown[] =>
    wires.map((wire) => {
      const client = connect(wire, { cache, eraCache: new EraCache(), ...options });
      const { values: lists } = watch(client.listTools());
      const { values: reads } = watch(client.readResource('a:b'));
      return [lists[0]?.[0]?.name, textOf(reads[0]?.contents[0])];
    });

  it.each(['private', 'public'])('keeps the %s results of two servers apart', (cacheScope) => {
    inVirtualTime(() => {
      const wires = ['one', 'two'].map((name) => reaching(named(name, cacheScope), name, 'mine'));
      expect(seenBy(new MemoryCacheStore(), wires)).toEqual([
        ['one', 'one'],
        ['two', 'two'],
      ]);
    });
  });

  it('keeps the private results of two credentials on one server apart', () => {
    inVirtualTime(() => {
      const wires = ['one', 'two', 'one'].map((name, index) =>
        reaching(named(`${name} ${index}`, 'private'), 'server', name),
      );
      expect(seenBy(new MemoryCacheStore(), wires)).toEqual([
        ['one 0', 'one 0'],
        ['two 1', 'two 1'],
        ['one 0', 'one 0'],
      ]);
    });
  });

  it('shares the public ones', () => {
    inVirtualTime(() => {
      const servers = ['one', 'two'].map((name) => named(name, 'public'));
      const wires = servers.map((server, index) => reaching(server, 'server', String(index)));
      expect(seenBy(new Map<string, CacheEntry>(), wires)).toEqual([
        ['one', 'one'],
        ['one', 'one'],
      ]);
      expect(servers.map((server) => sentTo(server, 'tools/list').length)).toEqual([1, 0]);
    });
  });

  it('keeps private results for one client alone where credentials have no name, and all where the server has none', () => {
    inVirtualTime(() => {
      const credentials = ['one', 'two'].map((name) => reaching(named(name, 'private'), 'server'));
      const servers = ['three', 'four'].map((name) => reaching(named(name, 'public')));
      expect(seenBy(new MemoryCacheStore(), [...credentials, ...servers])).toEqual([
        ['one', 'one'],
        ['two', 'two'],
        ['three', 'three'],
        ['four', 'four'],
      ]);
    });
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
  ])('fails no call where it %s', async (_how, fail) => {
    const store: CacheStore = { get: fail as CacheStore['get'], set: fail, delete: fail };
    const client = connect(reaching(named('one', 'public'), 'server'), { cache: store });
    expect(await client.promises.listTools()).toEqual([tool('one')]);
    expect(await client.promises.readResource('a:b')).toHaveProperty('contents');
    expect(await client.promises.listTools({ staleOnError: true, refresh: true })).toEqual([tool('one')]);
  });

  it.each<[string, () => unknown]>([
    ['never answers', () => NEVER],
    ['answers late', () => timer(5_000)],
  ])('is waited for a second where it %s, and for nothing where it is written to', (_how, work) => {
    inVirtualTime(({ at }) => {
      const store: CacheStore = { get: work as CacheStore['get'], set: work, delete: work };
      const client = connect(reaching(named('one', 'private'), 'server', 'mine'), { cache: store });
      const lists = [watch(client.listTools())];
      at(999, () => expect(lists[0]?.values).toEqual([]));
      at(1_000, () => {
        expect(lists[0]?.values).toEqual([[tool('one')]]);
        lists.push(watch(client.listTools()));
      });
      at(2_001, () => expect(lists[1]?.values).toEqual([[tool('one')]]));
    });
  });

  it.each([[{}], [{ tools: {}, contents: {} }], [{ tools: 'x', contents: null }], [{ nextCursor: 'x' }]])(
    'that holds rubbish such as %j has nothing',
    (result) => {
      inVirtualTime(() => {
        const store = { get: () => ({ result, freshUntil: 900 }), set: () => undefined, delete: () => undefined };
        const failing = { now: false };
        const wire = reaching(counting(fresh, orFail(failing)), 'server', 'mine');
        const client = connect(wire, { cache: store as unknown as CacheStore });
        expect(watch(client.listTools()).values).toEqual([[tool('1')]]);
        expect(watch(client.readResource('a:b')).values[0]?.contents).toHaveLength(1);
        failing.now = true;
        expect(watch(client.listTools({ staleOnError: true })).error).toEqual(new ProtocolError(-32603, 'down'));
      });
    },
  );
});

describe('what is odd about a list', () => {
  const odd = (more: object): { client: McpClient; warned: () => number } => {
    const server = scriptedTransport({ 'tools/list': { tools: [tool('a'), {}, { name: 'b' }], ...more } });
    const client = connect(server);
    const { values } = watch(client.warnings$);
    return { client, warned: () => values.filter(({ kind }) => kind === 'malformed-entry').length };
  };

  it('is told once, however often it is served from the cache', () => {
    inVirtualTime(({ at }) => {
      const { client, warned } = odd(fresh);
      for (let times = 0; times < 5; times += 1) {
        expect(watch(client.listTools()).values[0]).toHaveLength(2);
      }
      expect(warned()).toBe(2);
      at(1_000, () => {
        watch(client.listTools());
        expect(warned()).toBe(4);
      });
    });
  });

  it('is told once to all who asked at the same time', () => {
    inVirtualTime(({ at }) => {
      const server = scriptedTransport({ 'tools/list': () => timer(10).pipe(map(() => ({ tools: [{}] }))) });
      const client = connect(server);
      const { values } = watch(client.warnings$);
      for (let times = 0; times < 5; times += 1) watch(listTools(client));
      at(20, () => expect(values).toHaveLength(1));
    });
  });
});
