import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject, concat, EMPTY, map, NEVER, Observable, of, Subject, throwError, timer } from 'rxjs';
import type { ClientOptions, Root } from '../../src/index.js';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, metaOf, methodsOf, scriptedLives, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

const CHANGED = 'notifications/roots/list_changed';

const root = (name: string): Root[] => [{ uri: `file:///${name}` }];

const legacy = (onListRoots: ClientOptions['onListRoots'], options: ClientOptions = {}) => {
  const server = scriptedTransport({ 'tools/list': { tools: [] } }, { era: 'legacy' });
  const client = connect(server, { era: 'legacy', onListRoots, ...options });
  watch(client.server());
  return { server, client };
};

let lastId = 0;

/** What a legacy server is answered that asks for the roots now. */
const rootsOf = (server: ScriptedTransport): unknown => {
  lastId += 1;
  const id = `q${lastId}`;
  server.push({ id, method: 'roots/list' });
  const answer = server.sent.find((message) => !('method' in message) && message.id === id);
  return answer !== undefined && 'result' in answer ? answer.result : answer;
};

describe('a live list of roots', () => {
  it('is told to a legacy server by each value after the first, whose list is then the latest', () => {
    const roots$ = new BehaviorSubject(root('a'));
    const { server } = legacy(roots$);
    expect(sentTo(server, 'initialize')[0]?.params?.['capabilities']).toEqual({ roots: { listChanged: true } });
    expect(rootsOf(server)).toEqual({ roots: root('a') });
    expect(sentTo(server, CHANGED)).toEqual([]);
    for (const name of ['b', 'c', 'c']) roots$.next(root(name));
    expect(sentTo(server, CHANGED)).toEqual([1, 2, 3].map(() => ({ jsonrpc: '2.0', method: CHANGED })));
    expect(rootsOf(server)).toEqual({ roots: root('c') });
  });

  it('may be cold: it is subscribed to once for a connection, and the latest value is the answer', () => {
    inVirtualTime(({ at }) => {
      let subscribed = 0;
      const roots$: Observable<Root[]> = new Observable((subscriber) => {
        subscribed += 1;
        return concat(of(root('a')), timer(100).pipe(map(() => root('b'))), NEVER).subscribe(subscriber);
      });
      const { server } = legacy(roots$);
      expect(rootsOf(server)).toEqual({ roots: root('a') });
      at(101, () => {
        expect(sentTo(server, CHANGED)).toHaveLength(1);
        expect(rootsOf(server)).toEqual({ roots: root('b') });
        expect(subscribed).toBe(1);
      });
    });
  });

  it('may come to its end, and then is what it was last', () => {
    const { server } = legacy(of(root('a'), root('b')));
    expect(sentTo(server, CHANGED)).toHaveLength(1);
    expect(rootsOf(server)).toEqual({ roots: root('b') });
    expect(rootsOf(server)).toEqual({ roots: root('b') });
  });

  it('may have nothing to say yet: its first value answers those who asked before, and is no change', () => {
    const roots$ = new Subject<Root[]>();
    const { server } = legacy(roots$);
    expect(rootsOf(server)).toBeUndefined();
    roots$.next(root('a'));
    expect(server.sent.at(-1)).toMatchObject({ result: { roots: root('a') } });
    expect(sentTo(server, CHANGED)).toEqual([]);
    expect(rootsOf(server)).toEqual({ roots: root('a') });
  });

  it('that is empty is no roots', () => {
    expect(rootsOf(legacy(EMPTY).server)).toEqual({ roots: [] });
  });

  it('that fails is a warning, and is asked again when the server asks', () => {
    let tries = 0;
    const roots$ = new Observable<Root[]>((subscriber) => {
      tries += 1;
      if (tries === 1) subscriber.error(new Error('no disk'));
      else subscriber.next(root('a'));
    });
    const warnings: string[] = [];
    const { server } = legacy(roots$, { onWarn: ({ kind, message }) => warnings.push(`${kind}: ${message}`) });
    expect(warnings).toEqual(['hook-failed: onListRoots ended: Error: no disk']);
    expect(rootsOf(server)).toEqual({ roots: root('a') });
  });

  it('that fails whenever it is asked is no roots, and a warning each time', () => {
    const warnings: string[] = [];
    const failing$ = throwError(() => new Error('no disk'));
    const { server } = legacy(failing$, { onWarn: ({ message }) => warnings.push(message) });
    expect(rootsOf(server)).toEqual({ roots: [] });
    expect(warnings).toEqual(['onListRoots ended: Error: no disk', 'onListRoots threw: Error: no disk']);
  });

  it('is let go when the client is closed', async () => {
    const roots$ = new BehaviorSubject(root('a'));
    const { client } = legacy(roots$);
    expect(roots$.observed).toBe(true);
    await client.close();
    expect(roots$.observed).toBe(false);
  });

  it('is told to the next life of a server, too, and no longer to the one before', () => {
    const roots$ = new BehaviorSubject(root('a'));
    const lives = scriptedLives(() => scriptedTransport({}, { era: 'legacy' }));
    const client = connect(lives, { era: 'legacy', onListRoots: roots$ });
    watch(client.server());
    lives.opened[0]!.die();
    expect(roots$.observed).toBe(false);
    roots$.next(root('b'));
    watch(client.server());
    roots$.next(root('c'));
    expect(lives.opened.map((server) => sentTo(server, CHANGED).length)).toEqual([0, 1]);
    expect(rootsOf(lives.opened[1]!)).toEqual({ roots: root('c') });
  });

  it('is not told where roots are not declared', () => {
    const roots$ = new BehaviorSubject(root('a'));
    const { server } = legacy(roots$, { capabilities: { roots: undefined } });
    roots$.next(root('b'));
    expect(methodsOf(server)).toEqual(['initialize', 'notifications/initialized']);
    expect(rootsOf(server)).toMatchObject({ error: { code: -32601 } });
  });

  it('is told to no modern server, which gets the latest value when it asks', () => {
    inVirtualTime(({ at }) => {
      const roots$ = concat(of(root('a')), timer(100).pipe(map(() => root('b'))), NEVER);
      const server = scriptedTransport({
        'tools/call': (params) =>
          params['inputResponses'] === undefined
            ? { resultType: 'input_required', inputRequests: { r: { method: 'roots/list' } } }
            : { content: [] },
      });
      const client = connect(server, { era: 'modern', onListRoots: roots$ });
      watch(client.server());
      expect(metaOf(server, 'server/discover')['io.modelcontextprotocol/clientCapabilities']).toEqual({ roots: {} });
      at(200, () => {
        watch(client.callTool('t'));
        expect(sentTo(server, 'tools/call')[1]?.params?.['inputResponses']).toEqual({ r: { roots: root('b') } });
        expect(methodsOf(server)).toEqual(['server/discover', 'tools/call', 'tools/call']);
      });
    });
  });
});

describe.each(ERAS)('roots by a function in the %s era', (era) => {
  it('are asked for each time, and promise nothing about changes', () => {
    let asked = 0;
    const server = scriptedTransport({}, { era });
    const onListRoots = () => {
      asked += 1;
      return root(String(asked));
    };
    watch(connect(server, { era, onListRoots }).server());
    if (era === 'legacy') {
      expect(sentTo(server, 'initialize')[0]?.params?.['capabilities']).toEqual({ roots: {} });
      expect([rootsOf(server), rootsOf(server)]).toEqual([{ roots: root('1') }, { roots: root('2') }]);
    } else {
      expect(metaOf(server, 'server/discover')['io.modelcontextprotocol/clientCapabilities']).toEqual({ roots: {} });
      expect(asked).toBe(0);
    }
  });
});
