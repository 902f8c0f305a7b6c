import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Observable, timer } from 'rxjs';
import {
  type ClientOptions,
  type Connector,
  type McpClient,
  OptionError,
  ProtocolError,
  SpawnFailedError,
  type Tool,
  UnsupportedFeatureError,
} from '../../src/index.js';
import { type Script, type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { acknowledging, openOn, tell } from '../support/client/listening.js';
import { ERAS, methodsOf, scriptedLives, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

const { error } = scriptedTransport;

const tool = (name: string, more: object = {}): Tool => ({ name, inputSchema: { type: 'object' }, ...more });

type Era = (typeof ERAS)[number];

/** A client of a server of the era that can tell of changes. */
const following = (era: Era, script: Script, options: ClientOptions = {}) => {
  const lives = scriptedLives(() =>
    scriptedTransport(
      {
        'subscriptions/listen': acknowledging(),
        ...(era === 'modern' ? undefined : { 'resources/subscribe': {}, 'resources/unsubscribe': {} }),
        ...script,
      },
      { era },
    ),
  );
  const client = connect(lives, { era, ...options });
  // What is followed goes on for ever, and virtual time with it.
  timer(700_000).subscribe(() => void client.close());
  const server = (): ScriptedTransport => lives.opened.at(-1)!;
  const changed = (what: string, params: object = {}): void => {
    const method = `notifications/${what}`;
    if (era === 'modern') tell(server(), method, params);
    else server().push({ method, params: params as Record<string, unknown> });
  };
  return { client, server, lives, changed };
};

type Kind = readonly [
  stream: string,
  of: (client: McpClient) => Observable<unknown[]>,
  method: string,
  member: string,
  what: string,
];

const KINDS: readonly Kind[] = [
  ['tools$', (client) => client.tools$, 'tools/list', 'tools', 'tools/list_changed'],
  ['prompts$', (client) => client.prompts$, 'prompts/list', 'prompts', 'prompts/list_changed'],
  ['resources$', (client) => client.resources$, 'resources/list', 'resources', 'resources/list_changed'],
  [
    'resourceTemplates$',
    (client) => client.resourceTemplates$,
    'resources/templates/list',
    'resourceTemplates',
    'resources/list_changed',
  ],
];

const entry = (name: string): object => ({ ...tool(name), uri: `a:${name}`, uriTemplate: `a:${name}/{x}` });

beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe.each(ERAS)('in the %s era', (era) => {
  it.each(KINDS)('%s is the list now and after each change, all pages of it', (_stream, of, method, member, what) => {
    inVirtualTime(({ at }) => {
      let pages: Record<string, object> = {
        first: { [member]: [entry('a')], nextCursor: '2' },
        2: { [member]: [entry('b')] },
      };
      const { client, server, changed } = following(era, {
        [method]: ({ cursor = 'first' }) => pages[cursor]!,
      });
      const seen = watch(of(client));
      at(1_000, () => {
        pages = { first: { [member]: [entry('c')] } };
        changed(what);
      });
      at(2_000, () => {
        expect(seen.values).toEqual([[entry('a'), entry('b')], [entry('c')]]);
        expect(seen.completed).toBe(false);
        // One that is told of and does not differ is not emitted.
        changed(what);
      });
      at(3_000, () => {
        expect(seen.values).toHaveLength(2);
        expect(sentTo(server(), method)).toHaveLength(4);
        seen.subscription.unsubscribe();
      });
      at(4_000, () => expect(openOn(server())).toEqual([]));
    });
  });

  it.each(KINDS)('%s is empty where the server declared no such thing', (_stream, of) => {
    inVirtualTime(({ at }) => {
      const lives = scriptedLives(() => scriptedTransport({}, { era, capabilities: {} }));
      const client = connect(lives, { era });
      const warnings = watch(client.warnings$).values;
      const seen = watch(of(client));
      at(100, () => {
        expect(seen.values).toEqual([[]]);
        expect(warnings).toEqual([]);
      });
    });
  });

  it('nothing is opened before somebody looks', () => {
    inVirtualTime(({ at }) => {
      const { client, lives } = following(era, { 'tools/list': { tools: [] } });
      const streams = [client.tools$, client.resources$, client.watchResource('a:1')];
      at(10_000, () => expect([streams.length, lives.opened.length]).toEqual([3, 0]));
    });
  });

  it('tools$ that is refused at first is an error, and can be looked at again', () => {
    inVirtualTime(({ at }) => {
      let refuses = true;
      const { client } = following(era, {
        'tools/list': () => (refuses ? error(-32603, 'no') : { tools: [tool('a')] }),
      });
      const first = watch(client.tools$);
      at(100, () => {
        expect([first.values, first.error]).toEqual([[], new ProtocolError(-32603, 'no')]);
        refuses = false;
        const second = watch(client.tools$);
        at(100, () => expect(second.values).toEqual([[tool('a')]]));
      });
    });
  });

  it('tools$ that is refused later is a warning, and read again', () => {
    inVirtualTime(({ at }) => {
      let refusals = 0;
      const { client, changed } = following(era, {
        'tools/list': () => {
          refusals -= 1;
          return refusals >= 0 ? error(-32603, 'no') : { tools: [tool(refusals === -1 && began ? 'b' : 'a')] };
        },
      });
      let began = false;
      const warnings = watch(client.warnings$).values;
      const seen = watch(client.tools$);
      at(1_000, () => {
        [refusals, began] = [2, true];
        changed('tools/list_changed');
      });
      at(10_000, () => {
        expect(seen.marks.map(([moment]) => moment)).toEqual([0, 2_500]);
        expect(seen.values).toEqual([[tool('a')], [tool('b')]]);
        expect(warnings).toEqual([
          {
            kind: 'list-failed',
            message: 'the list of tools could not be read: no',
            detail: new ProtocolError(-32603, 'no'),
          },
          expect.objectContaining({ kind: 'list-failed' }),
        ]);
      });
    });
  });

  it('watchResource() is the contents now and after each update; only contents that differ are emitted', () => {
    inVirtualTime(({ at }) => {
      let [text, ttlMs] = ['one', 5];
      const { client, server, changed } = following(era, {
        'resources/read': ({ uri }) => ({ contents: [{ uri, text }], ttlMs: (ttlMs += 1), _meta: { at: ttlMs } }),
      });
      const { values, subscription } = watch(client.watchResource('a:1'));
      at(1_000, () => changed('resources/updated', { uri: 'a:1' }));
      at(2_000, () => {
        text = 'two';
        changed('resources/updated', { uri: 'a:2' });
        expect(values).toHaveLength(1);
        changed('resources/updated', { uri: 'a:1/below' });
      });
      at(3_000, () => {
        expect(values.map(({ contents }) => contents)).toEqual([
          [{ uri: 'a:1', text: 'one' }],
          [{ uri: 'a:1', text: 'two' }],
        ]);
        expect(sentTo(server(), 'resources/read')).toHaveLength(3);
        subscription.unsubscribe();
      });
    });
  });

  it('watchResource() is one stream for all who look at it, and one subscription to the server for all calls', () => {
    inVirtualTime(({ at }) => {
      const { client, server } = following(era, { 'resources/read': ({ uri }) => ({ contents: [{ uri, text: '' }] }) });
      const contents$ = client.watchResource('a:1');
      const seen = [watch(contents$), watch(contents$), watch(client.watchResource('a:1'))];
      at(3_000, () => {
        expect(seen.map(({ values }) => values.length)).toEqual([1, 1, 1]);
        const method = era === 'modern' ? 'subscriptions/listen' : 'resources/subscribe';
        expect(sentTo(server(), method)).toHaveLength(1);
        // Those that begin together are one read.
        expect(sentTo(server(), 'resources/read')).toHaveLength(1);
      });
    });
  });

  it('watchResource() errors where there is no such resource, or there are none', () => {
    inVirtualTime(({ at }) => {
      const { client } = following(era, { 'resources/read': error(-32002, 'not found') });
      const missing = watch(client.watchResource('a:1'));
      const other = connect(
        scriptedLives(() => scriptedTransport({}, { era, capabilities: {} })),
        { era },
      );
      const none = watch(other.watchResource('a:1'));
      at(100, () => {
        expect(missing.error).toEqual(new ProtocolError(-32002, 'not found'));
        expect(none.error).toBeInstanceOf(UnsupportedFeatureError);
      });
    });
  });

  it('toolChanges$ tells what differs, whoever read the list, and reads nothing itself', () => {
    inVirtualTime(({ at }) => {
      let tools = [tool('a'), tool('b')];
      const { client, lives, changed } = following(era, { 'tools/list': () => ({ tools }) });
      const seen = watch(client.toolChanges$);
      expect(lives.opened).toEqual([]);
      watch(client.tools$);
      const after = tool('b', { description: 'new' });
      at(1_000, () => {
        tools = [after, tool('c')];
        changed('tools/list_changed');
        expect(seen.values).toEqual([
          { added: [tool('c')], removed: [tool('a')], changed: [{ before: tool('b'), after }] },
        ]);
        tools = [tool('c')];
        watch(client.listTools());
        expect(seen.values[1]).toEqual({ added: [], removed: [after], changed: [] });
      });
    });
  });
});

describe('toolChanges$', () => {
  it('completes with the client', async () => {
    const client = connect(scriptedTransport());
    const seen = watch(client.toolChanges$);
    await client.close();
    expect([seen.completed, seen.error]).toEqual([true, undefined]);
  });
});

describe('a live list', () => {
  it('errors with what keeps the connection from being had', () => {
    inVirtualTime(({ at }) => {
      const reason = new SpawnFailedError('x', [], 'there is no such command');
      const wire: Connector = () =>
        new Observable((subscriber) => {
          subscriber.error(reason);
        });
      const client = connect(wire);
      const warnings = watch(client.warnings$).values;
      const seen = [watch(client.tools$), watch(client.prompts$), watch(client.watchResource('a:1'))];
      at(10_000, () => {
        expect(seen.map(({ error: end }) => end)).toEqual([reason, reason, reason]);
        expect(warnings).toEqual([]);
      });
    });
  });

  it('completes where the client is closed before the first is there: that is no failure of the list', () => {
    inVirtualTime(({ at }) => {
      const { client } = following('modern', { 'tools/list': scriptedTransport.silence });
      const seen = watch(client.tools$);
      at(1_000, () => void client.close());
      at(1_001, () => expect([seen.completed, seen.error]).toEqual([true, undefined]));
    });
  });

  it('asks the server, whatever is kept, and what it reads is kept for others', () => {
    inVirtualTime(({ at }) => {
      const { client, server, changed } = following('modern', {
        'tools/list': { tools: [tool('a')], ttlMs: 60_000 },
      });
      watch(client.listTools());
      watch(client.tools$);
      at(100, () => {
        expect(sentTo(server(), 'tools/list')).toHaveLength(2);
        changed('tools/list_changed');
        watch(client.listTools());
        expect(sentTo(server(), 'tools/list')).toHaveLength(3);
      });
    });
  });

  it('does not take the answer to a read that began before changes were told', () => {
    inVirtualTime(({ at }) => {
      let tools = [tool('a')];
      let asked = 0;
      const { client, server } = following('modern', {
        'tools/list': () => {
          asked += 1;
          // The server looks at once, and answers when it can.
          const answer = { tools };
          return asked === 1 ? scriptedTransport.steps(timer(500).pipe(never), answer) : answer;
        },
        'subscriptions/listen': (params, request) => {
          const acknowledged = acknowledging() as (params: object, request: object) => Observable<object>;
          return scriptedTransport.steps(timer(200).pipe(never), acknowledged(params, request));
        },
      });
      watch(client.listTools({ refresh: true }));
      const { values } = watch(client.tools$);
      at(100, () => (tools = [tool('b')]));
      at(1_000, () => {
        expect(values).toEqual([[tool('b')]]);
        expect(sentTo(server(), 'tools/list')).toHaveLength(2);
      });
    });
  });

  it('leaves out what is malformed, with a warning', () => {
    inVirtualTime(({ at }) => {
      const { client } = following('modern', { 'tools/list': { tools: [{}, tool('a')] } });
      const warnings = watch(client.warnings$).values;
      const { values } = watch(client.tools$);
      at(100, () => {
        expect(values).toEqual([[tool('a')]]);
        expect(warnings.map(({ kind }) => kind)).toEqual(['malformed-entry']);
      });
    });
  });

  it('tells the client what its tools promise', () => {
    inVirtualTime(({ at }) => {
      const { client, lives } = following(
        'modern',
        {
          'tools/list': { tools: [tool('safe', { annotations: { readOnlyHint: true } })] },
          'tools/call': () => (lives.opened.length === 1 ? scriptedTransport.silence : { content: [] }),
        },
        { trustAnnotations: 'all' },
      );
      watch(client.tools$);
      at(100, () => {
        const call = watch(client.callTool('safe'));
        lives.opened[0]?.die();
        expect([call.completed, call.error]).toEqual([true, undefined]);
      });
    });
  });
});

const never = (source$: Observable<unknown>): Observable<never> =>
  new Observable((subscriber) => source$.subscribe({ complete: () => subscriber.complete() }));

describe('watchResource()', () => {
  it.each(['', 5, undefined])('refuses %p for a URI when it is looked at', (uri) => {
    const server = scriptedTransport({ 'resources/read': { contents: [] } });
    const seen = watch(connect(server).watchResource(uri as string));
    expect(seen.error).toBeInstanceOf(OptionError);
    expect(methodsOf(server)).toEqual([]);
  });

  it('is read again as it ages, a day at most, where the server does not tell of updates', () => {
    inVirtualTime(({ at }) => {
      let ttlMs = 10_000;
      const { client, server } = following('modern', {
        'resources/read': ({ uri }) => ({ contents: [{ uri, text: '' }], ttlMs }),
        'subscriptions/listen': acknowledging(() => ({})),
      });
      watch(client.watchResource('a:1'));
      at(15_000, () => {
        expect(sentTo(server(), 'resources/read')).toHaveLength(2);
        // No timer of the platform can hold that.
        ttlMs = 1e12;
      });
      at(600_000, () => expect(sentTo(server(), 'resources/read')).toHaveLength(3));
    });
  });
});
