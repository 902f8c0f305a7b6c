import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { map, type Observable, timer } from 'rxjs';
import { type ClientOptions, type McpClient, type Tool, TransportError } from '../../src/index.js';
import { type Script, type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { acknowledging, drop, filtersOf, openOn, tell } from '../support/client/listening.js';
import { methodsOf, scriptedLives, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch, type Watched } from '../support/client/watch.js';

const LISTEN = 'subscriptions/listen';
const { error, silence } = scriptedTransport;

const tool = (name: string): Tool => ({ name, inputSchema: { type: 'object' } });

/** What a server has: the specs change it, and say so or not. */
interface Stock {
  tools: string[];
  text: string;
  ttlMs: number;
}

const scriptOf = (stock: Stock, more: Script = {}): Script => ({
  'tools/list': () => ({ tools: stock.tools.map(tool), ttlMs: stock.ttlMs }),
  'prompts/list': () => ({ prompts: [], ttlMs: stock.ttlMs }),
  'resources/list': () => ({ resources: [], ttlMs: stock.ttlMs }),
  'resources/templates/list': () => ({ resourceTemplates: [], ttlMs: stock.ttlMs }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: stock.text }], ttlMs: stock.ttlMs }),
  'subscriptions/listen': acknowledging(),
  ...more,
});

interface Setting {
  readonly stock: Stock;
  readonly lives: ReturnType<typeof scriptedLives>;
  /** The server that lives now. */
  readonly server: () => ScriptedTransport;
  readonly client: McpClient;
  readonly warnings: readonly string[];
  /** How often a method was called on all lives. */
  readonly calls: (method: string) => number;
}

const following = (more: Script = {}, options: ClientOptions = {}, scripted: object = {}): Setting => {
  const stock: Stock = { tools: ['a'], text: 'old', ttlMs: 0 };
  const lives = scriptedLives(() => scriptedTransport(scriptOf(stock, more), scripted));
  const client = connect(lives, options);
  // What is followed goes on for ever, and virtual time with it.
  timer(700_000).subscribe(() => void client.close());
  const warnings: string[] = [];
  client.warnings$.subscribe(({ message }) => warnings.push(message));
  const calls = (method: string): number =>
    lives.opened.reduce((count, server) => count + sentTo(server, method).length, 0);
  return { stock, lives, server: () => lives.opened.at(-1)!, client, warnings, calls };
};

const namesOf = (tools$: Observable<Tool[]>): Observable<string> =>
  tools$.pipe(map((tools) => tools.map(({ name }) => name).join()));

beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('what is listened to', () => {
  it('is all that is wanted, by one subscription, however many want it', () => {
    inVirtualTime(({ at }) => {
      const { client, server } = following();
      for (let times = 0; times < 1_000; times += 1) watch(client.tools$);
      watch(client.prompts$);
      watch(client.resources$);
      watch(client.resourceTemplates$);
      watch(client.watchResource('b:1'));
      watch(client.watchResource('a:1'));
      at(5_000, () => {
        expect(filtersOf(server())).toEqual([
          {
            toolsListChanged: true,
            promptsListChanged: true,
            resourcesListChanged: true,
            resourceSubscriptions: ['a:1', 'b:1'],
          },
        ]);
        expect(sentTo(server(), 'tools/list')).toHaveLength(1);
      });
    });
  });

  it('is asked for anew when more is wanted, and the one subscription left when the other has begun', () => {
    inVirtualTime(({ at }) => {
      let slow = false;
      const acknowledged = acknowledging() as (params: object, request: object) => Observable<object>;
      const { client, server, stock, calls } = following({
        'subscriptions/listen': (params, request) =>
          slow ? timer(100).pipe(map(() => scriptedTransport.silence)) : acknowledged(params, request),
      });
      const { values } = watch(namesOf(client.tools$));
      at(10, () => {
        slow = true;
        watch(client.prompts$);
      });
      at(50, () => {
        expect(filtersOf(server())).toEqual([
          { toolsListChanged: true },
          { toolsListChanged: true, promptsListChanged: true },
        ]);
        expect(openOn(server())).toHaveLength(2);
        // Nothing is missed between the two.
        stock.tools = ['b'];
        tell(server(), 'notifications/tools/list_changed');
        expect(values).toEqual(['a', 'b']);
      });
      at(600, () => {
        const [, second] = openOn(server());
        const _meta = { 'io.modelcontextprotocol/subscriptionId': second };
        const notifications = { toolsListChanged: true, promptsListChanged: true };
        server().push({ method: 'notifications/subscriptions/acknowledged', params: { _meta, notifications } });
        expect(openOn(server())).toEqual([second]);
        // The list that was followed all along is not read again for it.
        const reads = calls('tools/list');
        stock.tools = ['c'];
        at(100, () => expect(calls('tools/list')).toBe(reads));
        at(1_000, () => {
          tell(server(), 'notifications/tools/list_changed');
          expect(values).toEqual(['a', 'b', 'c']);
        });
      });
    });
  });

  it('is less when less is wanted, and nothing when nobody looks', () => {
    inVirtualTime(({ at }) => {
      const { client, server } = following();
      const tools = watch(client.tools$);
      const resource = watch(client.watchResource('a:1'));
      at(10, () => resource.subscription.unsubscribe());
      at(20, () => {
        expect(filtersOf(server())).toEqual([
          { toolsListChanged: true, resourceSubscriptions: ['a:1'] },
          { toolsListChanged: true },
        ]);
        expect(openOn(server())).toHaveLength(1);
        tools.subscription.unsubscribe();
      });
      at(5_000, () => {
        expect(openOn(server())).toEqual([]);
        expect(filtersOf(server())).toHaveLength(2);
        expect(methodsOf(server()).at(-1)).toBe('notifications/cancelled');
      });
    });
  });

  it('is asked for anew when somebody looks again', () => {
    inVirtualTime(({ at }) => {
      const { client, server, stock } = following();
      watch(client.tools$).subscription.unsubscribe();
      const first = watch(client.tools$);
      at(10, () => first.subscription.unsubscribe());
      at(20, () => {
        stock.tools = ['b'];
        const { values } = watch(namesOf(client.tools$));
        at(10, () => {
          expect(values).toEqual(['b']);
          expect(filtersOf(server())).toHaveLength(2);
          expect(openOn(server())).toHaveLength(1);
        });
      });
    });
  });

  it('does not change for who leaves and comes back within one turn, and who comes back waits for nothing', () => {
    inVirtualTime(({ at }) => {
      const { client, server, calls } = following();
      watch(client.prompts$);
      const first = watch(client.tools$);
      at(10, () => {
        first.subscription.unsubscribe();
        const second = watch(namesOf(client.tools$));
        at(1, () => expect(second.values).toEqual(['a']));
        at(5_000, () => {
          expect(filtersOf(server())).toHaveLength(1);
          expect(calls('tools/list')).toBe(2);
        });
      });
    });
  });

  it('is there at once for who comes later and wants the same', () => {
    inVirtualTime(({ at }) => {
      const { client, server } = following();
      watch(client.resources$);
      watch(client.watchResource('a:1'));
      at(100, () => {
        const later = [watch(client.resourceTemplates$), watch(client.watchResource('a:1'))];
        at(1, () => {
          expect(later.map(({ values }) => values.length)).toEqual([1, 1]);
          expect(filtersOf(server())).toHaveLength(1);
        });
        at(5_000, () => expect(sentTo(server(), 'resources/templates/list')).toHaveLength(1));
      });
    });
  });

  it('is nothing the server has not got, which is empty at once and without a warning', () => {
    inVirtualTime(({ at }) => {
      const { client, server, warnings, stock } = following({}, {}, { capabilities: { tools: {} } });
      const prompts = watch(client.prompts$);
      const templates = watch(client.resourceTemplates$);
      at(10, () => {
        expect([prompts.values, templates.values]).toEqual([[[]], [[]]]);
        expect(methodsOf(server())).toEqual(['server/discover']);
        const tools = watch(namesOf(client.tools$));
        at(10, () => {
          expect(filtersOf(server())).toEqual([{ toolsListChanged: true }]);
          stock.tools = ['b'];
          tell(server(), 'notifications/tools/list_changed');
          expect(tools.values).toEqual(['a', 'b']);
          tools.subscription.unsubscribe();
        });
        at(1_000, () => {
          expect(openOn(server())).toEqual([]);
          expect(warnings).toEqual([]);
        });
      });
    });
  });
});

describe('a server that does not agree to all of it', () => {
  const partly = acknowledging(({ toolsListChanged: _, ...rest }) => rest);

  it('has the list read again as it ages, with one warning, and tells the rest', () => {
    inVirtualTime(({ at }) => {
      const { client, server, stock, warnings, calls } = following({ 'subscriptions/listen': partly });
      stock.ttlMs = 10_000;
      const tools = watch(namesOf(client.tools$));
      const resource = watch(client.watchResource('a:1'));
      at(5_000, () => {
        stock.tools = ['b'];
        stock.text = 'new';
        tell(server(), 'notifications/resources/updated', { uri: 'a:1' });
        expect([tools.values, resource.values.length]).toEqual([['a'], 2]);
      });
      at(9_999, () => expect(tools.values).toEqual(['a']));
      at(10_001, () => expect(tools.values).toEqual(['a', 'b']));
      at(40_001, () => {
        expect(calls('tools/list')).toBe(5);
        expect(calls('resources/read')).toBe(2);
        expect(warnings).toEqual([
          'changes of the list of tools are not told (the server did not agree to it): it is read again as it ages',
        ]);
        tools.subscription.unsubscribe();
        resource.subscription.unsubscribe();
      });
    });
  });

  it('warns no more than once, however often the subscription has to be opened', () => {
    inVirtualTime(({ at }) => {
      const { client, server, warnings, calls } = following({ 'subscriptions/listen': acknowledging(() => ({})) });
      watch(client.tools$);
      const ended: (string | number)[] = [];
      for (const moment of [10_000, 20_000, 30_000]) {
        at(moment, () => {
          const [id] = openOn(server()).filter((open) => !ended.includes(open));
          ended.push(id!);
          drop(server(), id!);
        });
      }
      at(40_000, () => expect([calls(LISTEN), warnings.length]).toEqual([4, 1]));
    });
  });

  it('has it read once where it has no ttl', () => {
    inVirtualTime(({ at }) => {
      const { client, calls, warnings } = following({ 'subscriptions/listen': acknowledging(() => ({})) });
      const seen = [watch(client.tools$), watch(client.watchResource('a:1'))];
      at(600_000, () => {
        expect([calls('tools/list'), calls('resources/read'), warnings.length]).toEqual([1, 1, 2]);
        for (const { subscription } of seen) subscription.unsubscribe();
      });
    });
  });

  it('warns no more than once, though it is asked again and again, and one who comes later is told as well', () => {
    inVirtualTime(({ at }) => {
      const { client, stock, warnings, calls } = following({ 'subscriptions/listen': acknowledging(() => ({})) });
      stock.ttlMs = 1_000;
      const first = watch(client.resources$);
      const later: ReturnType<typeof watch>[] = [];
      at(500, () => later.push(watch(client.resourceTemplates$)));
      at(1_000, () => later.push(watch(client.tools$)));
      at(3_600, () => {
        expect(warnings).toHaveLength(2);
        expect(calls('resources/templates/list')).toBe(4);
        for (const { subscription } of [first, ...later]) subscription.unsubscribe();
        watch(client.tools$);
      });
      at(3_700, () => expect(warnings).toHaveLength(2));
    });
  });
});

describe('a server that refuses subscriptions', () => {
  it('for it knows none, is not asked again in this life; everything ages, whenever it was wanted', () => {
    inVirtualTime(({ at }) => {
      const { client, lives, stock, warnings, calls } = following({
        'subscriptions/listen': error(-32601, 'Method not found'),
      });
      stock.ttlMs = 10_000;
      const seen: Watched<unknown>[] = [watch(client.tools$)];
      at(1, () => expect(seen[0]?.values).toHaveLength(1));
      at(5_000, () => {
        seen.push(watch(client.prompts$));
        at(1, () => expect(seen[1]?.values).toHaveLength(1));
      });
      at(25_001, () => {
        expect([calls('tools/list'), calls('prompts/list'), calls(LISTEN), warnings.length]).toEqual([3, 3, 1, 2]);
        lives.opened[0]?.die();
      });
      at(30_000, () => {
        expect(sentTo(lives.opened[1]!, LISTEN)).toHaveLength(1);
        for (const { subscription } of seen) subscription.unsubscribe();
      });
    });
  });

  it('for now, is asked again with growing delays; meanwhile everything ages, and one warning says so', () => {
    inVirtualTime(({ at }) => {
      let refusals = 4;
      const acknowledged = acknowledging() as (params: object, request: object) => Observable<object>;
      const { client, server, stock, warnings, calls } = following({
        'subscriptions/listen': (params, request) => {
          refusals -= 1;
          return refusals < 0 ? acknowledged(params, request) : error(-32603, 'Subscription limit reached');
        },
      });
      stock.ttlMs = 3_000;
      const tools = watch(namesOf(client.tools$));
      at(7_499, () => expect([calls(LISTEN), calls('tools/list')]).toEqual([4, 3]));
      at(7_501, () => {
        expect([calls(LISTEN), calls('tools/list')]).toEqual([5, 4]);
        stock.tools = ['b'];
        server().push({ method: 'notifications/tools/list_changed' });
        expect(tools.values).toEqual(['a', 'b']);
      });
      at(60_000, () => {
        expect(calls('tools/list')).toBe(5);
        expect(warnings).toEqual([
          'changes of the list of tools are not told (Subscription limit reached): it is read again as it ages',
        ]);
      });
    });
  });
});

describe('a subscription that ends', () => {
  it.each(['answer', 'notice'] as const)('by %s, is asked for again after a moment, and the list read once', (how) => {
    inVirtualTime(({ at }) => {
      const { client, server, stock, warnings, calls } = following();
      const { values } = watch(namesOf(client.tools$));
      at(10_000, () => {
        stock.tools = ['b'];
        drop(server(), openOn(server())[0]!, how);
      });
      at(10_499, () => expect([calls(LISTEN), values]).toEqual([1, ['a']]));
      at(10_501, () => {
        expect([calls(LISTEN), values, calls('tools/list')]).toEqual([2, ['a', 'b'], 2]);
        expect(warnings).toEqual([]);
      });
    });
  });

  it('ten times leaves one subscription, one read for each time, and no change missed', () => {
    inVirtualTime(({ at }) => {
      const { client, server, stock, calls, warnings } = following();
      const { values } = watch(namesOf(client.tools$));
      const ended: (string | number)[] = [];
      for (let time = 1; time <= 10; time += 1) {
        at(time * 60_000, () => {
          const [id] = openOn(server()).filter((open) => !ended.includes(open));
          ended.push(id!);
          drop(server(), id!, time % 2 === 0 ? 'answer' : 'notice');
          // While nobody listens.
          stock.tools = [...stock.tools, String(time)];
        });
      }
      at(660_000, () => {
        expect(ended).toHaveLength(10);
        expect(openOn(server()).filter((open) => !ended.includes(open))).toHaveLength(1);
        expect([calls(LISTEN), calls('tools/list')]).toEqual([11, 11]);
        expect(values.at(-1)).toBe('a,1,2,3,4,5,6,7,8,9,10');
        expect(warnings).toEqual([]);
        stock.tools = ['z'];
        tell(server(), 'notifications/tools/list_changed');
        expect(values.at(-1)).toBe('z');
      });
    });
  });

  it('as soon as it has begun, is asked for again more and more slowly, until one lasts', () => {
    inVirtualTime(({ at, now }) => {
      const asked: number[] = [];
      const { client, server, lives } = following();
      watch(client.tools$);
      at(1, () => {
        const [first] = lives.opened;
        first?.sent$.subscribe((message) => {
          if (!('method' in message) || message.method !== LISTEN || !('id' in message)) return;
          asked.push(now());
          if (asked.length !== 9) timer(1).subscribe(() => drop(server(), message.id));
          else timer(5_000).subscribe(() => drop(server(), message.id));
        });
      });
      at(200_000, () => {
        const delays = asked.slice(1, 11).map((moment, index) => moment - asked[index]!);
        expect(delays).toEqual([501, 1_001, 2_001, 4_001, 8_001, 16_001, 30_001, 30_001, 5_500, 1_001]);
      });
    });
  });

  it('is come back to a little sooner by chance, so that not all clients do at once', () => {
    jest.spyOn(Math, 'random').mockReturnValue(1);
    inVirtualTime(({ at }) => {
      const { client, server, calls } = following();
      watch(client.tools$);
      at(10_000, () => drop(server(), openOn(server())[0]!));
      at(10_249, () => expect(calls(LISTEN)).toBe(1));
      at(10_251, () => expect(calls(LISTEN)).toBe(2));
    });
  });

  it('that is never acknowledged is none: one warning, the lists are read as they age, and it is asked for again', () => {
    inVirtualTime(({ at }) => {
      const { client, server, calls, warnings } = following(
        { 'subscriptions/listen': silence },
        { requestTimeoutMs: 10_000 },
      );
      const { values } = watch(namesOf(client.tools$));
      at(2_001, () => expect(values).toEqual(['a']));
      at(10_501, () => {
        expect([calls(LISTEN), calls('tools/list'), openOn(server()).length]).toEqual([2, 2, 1]);
        expect(warnings).toEqual([expect.stringContaining('changes of the list of tools are not told')]);
      });
    });
  });
});

describe('a server that dies', () => {
  it('is started again after a moment, listened to, and the lists read once more', () => {
    inVirtualTime(({ at }) => {
      const { client, lives, stock, warnings, calls } = following();
      const { values, subscription } = watch(namesOf(client.tools$));
      const resource = watch(client.watchResource('a:1'));
      at(10_000, () => {
        stock.tools = ['b'];
        stock.text = 'new';
        lives.opened[0]?.die();
      });
      at(10_499, () => expect(lives.opened).toHaveLength(1));
      at(10_501, () => {
        expect(lives.opened).toHaveLength(2);
        expect(values).toEqual(['a', 'b']);
        expect(resource.values).toHaveLength(2);
        expect([calls(LISTEN), calls('tools/list'), calls('resources/read')]).toEqual([2, 2, 2]);
        expect(warnings).toEqual([expect.stringContaining('changes are not told for now')]);
        stock.tools = ['c'];
        tell(lives.opened[1]!, 'notifications/tools/list_changed');
        expect(values).toEqual(['a', 'b', 'c']);
        subscription.unsubscribe();
        resource.subscription.unsubscribe();
      });
      at(11_000, () => expect(openOn(lives.opened[1]!)).toEqual([]));
    });
  });

  it('and cannot be started for a while is tried with growing delays, and one warning', () => {
    inVirtualTime(({ at, now }) => {
      const tried: number[] = [];
      const stock: Stock = { tools: ['a'], text: '', ttlMs: 0 };
      const lives = scriptedLives((life) => {
        tried.push(now());
        const server = scriptedTransport(scriptOf(stock));
        if (life > 1 && life < 6) server.die();
        return server;
      });
      const client = connect(lives);
      const warnings = watch(client.warnings$).values;
      const { values, error: reason } = watch(namesOf(client.tools$));
      at(10_000, () => {
        stock.tools = ['b'];
        lives.opened[0]?.die();
      });
      at(60_000, () => {
        expect(lives.opened.length).toBeGreaterThanOrEqual(6);
        expect([values, reason]).toEqual([['a', 'b'], undefined]);
        expect(warnings).toHaveLength(1);
      });
    });
  });

  it.each(['modern', 'legacy'] as const)(
    'before it was ever there (%s) is not started once more to find out why',
    (era) => {
      inVirtualTime(({ at }) => {
        const reason = new TransportError(new Error('no such server'));
        const lives = scriptedLives(() => {
          const server = scriptedTransport({}, { era });
          server.die(reason);
          return server;
        });
        const client = connect(lives, { era });
        const states = watch(client.state$.pipe(map(({ status }) => status))).values;
        const seen = [watch(client.tools$), watch(client.watchResource('a:1'))];
        at(10_000, () => {
          expect(seen.map(({ error: end }) => end)).toEqual([reason, reason]);
          expect(lives.opened).toHaveLength(1);
          expect(states).toEqual(['idle', 'connecting', 'failed']);
        });
      });
    },
  );

  it('at once, each time, is not started in a frenzy', () => {
    inVirtualTime(({ at, now }) => {
      const { client, lives } = following({}, { era: 'legacy' }, { era: 'legacy' });
      watch(client.tools$);
      const kill = (): void => {
        const last = lives.opened.at(-1);
        if (last?.alive === true) last.die();
        if (now() < 70_000) timer(10).subscribe(kill);
      };
      at(10_000, kill);
      at(70_000, () => expect(lives.opened.length).toBeLessThan(12));
    });
  });

  it('and may not be started again is the end of what was followed', () => {
    inVirtualTime(({ at }) => {
      const server = scriptedTransport(scriptOf({ tools: ['a'], text: '', ttlMs: 0 }));
      const client = connect(server);
      const seen = [watch(client.tools$), watch(client.watchResource('a:1'))];
      const reason = new TransportError(new Error('gone'));
      at(1_000, () => server.die(reason));
      at(1_001, () => {
        expect(seen.map(({ error: end }) => end)).toEqual([reason, reason]);
        const late = watch(client.tools$);
        at(1, () => expect(late.error).toBe(reason));
      });
    });
  });
});

describe('close()', () => {
  it('completes what is followed, and asks for nothing more', () => {
    inVirtualTime(({ at }) => {
      const { client, lives, warnings } = following();
      const seen = [watch(client.tools$), watch(client.watchResource('a:1'))];
      at(1_000, () => void client.close());
      at(60_000, () => {
        expect(seen.map(({ completed, error: end }) => [completed, end])).toEqual([
          [true, undefined],
          [true, undefined],
        ]);
        expect(lives.opened).toHaveLength(1);
        expect(warnings).toEqual([]);
        expect(watch(client.tools$).completed).toBe(true);
      });
    });
  });

  it('while it is being come back to ends that, too', () => {
    inVirtualTime(({ at }) => {
      const { client, lives } = following();
      const seen = watch(client.tools$);
      at(10_000, () => lives.opened[0]?.die());
      at(10_100, () => void client.close());
      at(60_000, () => {
        expect([seen.completed, seen.error, lives.opened.length]).toEqual([true, undefined, 1]);
      });
    });
  });
});

describe('on a legacy server', () => {
  const legacy = (more: Script = {}, scripted: object = {}): Setting =>
    following(
      { 'resources/subscribe': {}, 'resources/unsubscribe': {}, ...more },
      { era: 'legacy' },
      { era: 'legacy', ...scripted },
    );

  it('a list is read again at each notice, which comes unasked', () => {
    inVirtualTime(({ at }) => {
      const { client, server, stock, warnings } = legacy();
      const { values } = watch(namesOf(client.tools$));
      at(1_000, () => {
        expect(values).toEqual(['a']);
        stock.tools = ['b'];
        server().push({ method: 'notifications/tools/list_changed' });
        expect(values).toEqual(['a', 'b']);
        server().push({ method: 'notifications/prompts/list_changed' });
      });
      at(2_000, () => {
        expect(methodsOf(server()).slice(2)).toEqual(['tools/list', 'tools/list']);
        expect(warnings).toEqual([]);
      });
    });
  });

  it('a resource is subscribed to once, however many follow it, read at each update, and unsubscribed from', () => {
    inVirtualTime(({ at }) => {
      const { client, server, stock } = legacy();
      const seen = [watch(client.watchResource('a:1')), watch(client.watchResource('a:1'))];
      at(100, () => {
        expect(sentTo(server(), 'resources/subscribe').map(({ params }) => params)).toEqual([{ uri: 'a:1' }]);
        stock.text = 'new';
        server().push({ method: 'notifications/resources/updated', params: { uri: 'a:1' } });
        expect(seen.map(({ values }) => values.length)).toEqual([2, 2]);
        seen[0]?.subscription.unsubscribe();
      });
      at(200, () => {
        expect(sentTo(server(), 'resources/unsubscribe')).toEqual([]);
        seen[1]?.subscription.unsubscribe();
      });
      at(300, () =>
        expect(sentTo(server(), 'resources/unsubscribe').map(({ params }) => params)).toEqual([{ uri: 'a:1' }]),
      );
    });
  });

  it('each death is followed by a subscription anew, and one read', () => {
    inVirtualTime(({ at }) => {
      const { client, lives, stock, calls } = legacy();
      const resource = watch(client.watchResource('a:1'));
      const tools = watch(namesOf(client.tools$));
      at(10_000, () => {
        stock.text = 'new';
        stock.tools = ['b'];
        lives.opened[0]?.die();
      });
      at(10_501, () => {
        expect([resource.values.length, tools.values]).toEqual([2, ['a', 'b']]);
        expect([calls('resources/subscribe'), calls('resources/read'), calls('tools/list')]).toEqual([2, 2, 2]);
      });
    });
  });

  it('a resource cannot be followed where that was not declared: one warning, one read, and nothing is asked', () => {
    inVirtualTime(({ at }) => {
      const { client, server, stock, warnings } = legacy({}, { capabilities: { resources: {} } });
      stock.ttlMs = 1_000;
      const seen = watch(client.watchResource('a:1'));
      at(60_000, () => {
        expect(methodsOf(server()).slice(2)).toEqual(['resources/read']);
        expect(warnings).toEqual([expect.stringContaining('the resource a:1')]);
        seen.subscription.unsubscribe();
      });
      at(60_100, () => expect(methodsOf(server()).slice(2)).toEqual(['resources/read']));
    });
  });

  it('a subscription that is refused is a warning, and is not taken back', () => {
    inVirtualTime(({ at }) => {
      const { client, server, warnings } = legacy({ 'resources/subscribe': error(-32603, 'too many') });
      const seen = watch(client.watchResource('a:1'));
      at(100, () => {
        expect(seen.values).toHaveLength(1);
        expect(warnings).toEqual([expect.stringContaining('too many')]);
        seen.subscription.unsubscribe();
      });
      at(200, () => expect(methodsOf(server()).slice(2)).toEqual(['resources/subscribe', 'resources/read']));
    });
  });

  it('a subscription that is not answered keeps nobody from reading, and is taken back', () => {
    inVirtualTime(({ at }) => {
      const { client, server } = legacy({ 'resources/subscribe': silence });
      const seen = watch(client.watchResource('a:1'));
      at(2_001, () => {
        expect(seen.values).toHaveLength(1);
        seen.subscription.unsubscribe();
      });
      at(2_100, () =>
        expect(methodsOf(server()).slice(2)).toEqual([
          'resources/subscribe',
          'resources/read',
          'notifications/cancelled',
          'resources/unsubscribe',
        ]),
      );
    });
  });

  it('who comes later and follows the same waits for nothing', () => {
    inVirtualTime(({ at }) => {
      const { client, calls } = legacy();
      watch(client.watchResource('a:1'));
      at(100, () => {
        const later = watch(client.watchResource('a:1'));
        at(1, () => expect(later.values).toHaveLength(1));
        at(5_000, () => expect([calls('resources/subscribe'), calls('resources/read')]).toEqual([1, 2]));
      });
    });
  });
});
