import { describe, expect, it } from '@jest/globals';
import { asapScheduler, defer, map, throwError } from 'rxjs';
import { type Connector, connectInMemory, OptionError } from '../../src/index.js';
import { fixtureServer, marbles, type MarbleHelpers, type Mark, scriptedTransport } from '../../src/testing/index.js';
import { thrownBy } from '../support/client/watch.js';

describe('what is random, in virtual time', () => {
  /** A server that goes away at 10 ms, and stays away for so many tries. */
  const awayFor = (tries: number): { readonly connector: Connector; readonly drop: () => void } => {
    const server = fixtureServer();
    let left = 0;
    return {
      connector: (form) =>
        defer(() => ((left -= 1) < 0 ? server.connector(form) : throwError(() => new Error('away')))),
      drop: () => {
        left = tries;
        server.drop();
        server.tool('late', { description: 'Comes later' }, () => 'here');
      },
    };
  };

  it('shortens no wait, so that it can be told when a live list is there again', () => {
    for (let run = 0; run < 2; run += 1) {
      marbles(({ connect, at, expectObservable }) => {
        const { connector, drop } = awayFor(3);
        const mcp = connect(connector, { era: 'modern' });
        at(1_000, drop);
        // Tries after half a second, one, two and four more.
        expectObservable(mcp.tools$.pipe(map((tools) => tools.length))).toBe('a 8499ms b', { a: 9, b: 10 });
      });
    }
  });

  it('makes names that differ all the same', () => {
    const names = new Set<string>();
    marbles(() => {
      for (let name = 0; name < 1_000; name += 1) names.add(Math.random().toString(36).slice(2));
    });
    expect(names.size).toBe(1_000);
  });

  it('is as before behind the test, also for who kept it', () => {
    const before = Math.random;
    let kept = before;
    thrownBy(() =>
      marbles(() => {
        kept = Math.random;
        throw new Error('no');
      }),
    );
    expect(Math.random).toBe(before);
    expect(kept).not.toBe(before);
    expect(Array.from({ length: 10 }, () => kept()).some((number) => number > 0.001)).toBe(true);
  });
});

describe('a Promise, in virtual time', () => {
  const late = (): Promise<never> => Promise.reject(new Error('heard by nobody'));
  const runs = (body: (helpers: MarbleHelpers) => void) => thrownBy(() => marbles(body));

  it.each<readonly [string, string, (helpers: MarbleHelpers) => readonly Mark[]]>([
    [
      'a tool',
      'weather',
      ({ connect, marksOf }) =>
        marksOf(
          connect(fixtureServer().tool('weather', { description: 'Of a city' }, late).connector).callTool('weather'),
        ),
    ],
    [
      'a prompt',
      'greet',
      ({ connect, marksOf }) =>
        marksOf(connect(fixtureServer().prompt('greet', {}, late).connector).getPrompt('greet')),
    ],
    [
      'a resource',
      'a://b',
      ({ connect, marksOf }) =>
        marksOf(connect(fixtureServer().resource('a://b', { text: late }).connector).readResource('a://b')),
    ],
    [
      'a script',
      'tools/call',
      ({ connect, marksOf }) =>
        marksOf(connect(scriptedTransport({ 'tools/call': late }), { era: 'modern' }).callTool('x')),
    ],
    [
      'a hook',
      'onElicit',
      ({ connect, marksOf }) => marksOf(connect(fixtureServer().connector, { onElicit: late }).callTool('ask')),
    ],
  ])('fails the test where %s answers by it, and its call at once', (_what, option, call) => {
    let marks: readonly Mark[] = [];
    const refused = runs((helpers) => {
      marks = call(helpers);
    });
    expect(refused).toBeInstanceOf(OptionError);
    expect(refused).toMatchObject({ option, message: expect.stringContaining('none is virtual') });
    expect(marks.length).toBeGreaterThan(0);
    expect(marks[0]?.[0]).toBe(0);
  });

  it('is an answer as any in real time', async () => {
    const server = fixtureServer().tool('soon', { description: 'Soon' }, () => Promise.resolve('now'));
    const mcp = connectInMemory(server);
    expect((await mcp.promises.callTool('soon')).content).toEqual([{ type: 'text', text: 'now' }]);
    await mcp.close();
  });
});

describe('the end of a turn, in virtual time', () => {
  it('comes to an end where each begins another', () => {
    const again = (): void => void asapScheduler.schedule(again);
    marbles(({ connect }) => {
      connect(fixtureServer().connector).tools$.subscribe({ complete: again });
    });
    expect(asapScheduler.actions).toEqual([]);
  });

  it('fails the test where it throws', () => {
    const reason = new Error('no');
    const fails = (): void =>
      void asapScheduler.schedule(() => {
        throw reason;
      });
    const body = ({ connect }: MarbleHelpers): void => {
      connect(fixtureServer().connector).tools$.subscribe({ complete: fails });
    };
    expect(thrownBy(() => marbles(body))).toBe(reason);
  });
});
