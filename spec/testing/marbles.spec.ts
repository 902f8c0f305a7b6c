import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { asapScheduler, firstValueFrom, map, of, throwError, timer } from 'rxjs';
import { connectInMemory, type McpClient, OptionError, TimeoutError } from '../../src/index.js';
import { fixtureServer, marbles, type Mark, scriptedTransport } from '../../src/testing/index.js';
import { thrownBy } from '../support/client/watch.js';

describe('marbles', () => {
  it('runs all the clocks of a client in virtual time', () => {
    marbles(({ connect, expectObservable }) => {
      const mcp = connect(scriptedTransport({ 'tools/call': scriptedTransport.silence }), { era: 'modern' });
      expectObservable(mcp.callTool('slow')).toBe('60s #', undefined, new TimeoutError('tools/call', 2, 60_000));
    });
  });

  it('has every time of a fixture server', () => {
    let seen: readonly (readonly [number, unknown])[] = [];
    marbles(({ connect, marksOf }) => {
      const mcp = connect(fixtureServer().connector, { era: 'modern' });
      seen = marksOf(mcp.callTool('slow', { steps: 2, ms: 1_000 }));
    });
    expect(seen).toEqual([
      [2_000, expect.objectContaining({ content: [{ type: 'text', text: '2 steps' }] })],
      [2_000, '|'],
    ]);
  });

  it('does things at moments', () => {
    const did: number[] = [];
    marbles(({ at, now }) => {
      at(20, () => did.push(now()));
      at(10, () => did.push(now()));
    });
    expect(did).toEqual([10, 20]);
  });

  it('fails by what is thrown at a moment, and by what is thrown in it', () => {
    const reason = new Error('no');
    expect(
      thrownBy(() =>
        marbles(({ at }) =>
          at(1, () => {
            throw reason;
          }),
        ),
      ),
    ).toBe(reason);
    expect(
      thrownBy(() =>
        marbles(() => {
          throw reason;
        }),
      ),
    ).toBe(reason);
  });

  it('fails where streams differ: by when, by value, by error', () => {
    const differs = (marble: string, values?: object, error?: unknown) =>
      thrownBy(() => marbles(({ expectObservable }) => expectObservable(timer(2)).toBe(marble, values, error)));
    expect(String(differs('-(a|)', { a: 0 }))).toContain('the streams differ');
    expect(String(differs('--(a|)', { a: 1 }))).toContain('the streams differ');
    expect(
      String(
        thrownBy(() =>
          marbles(({ expectObservable }) => {
            expectObservable(throwError(() => new TypeError('a'))).toBe('#', undefined, new TypeError('b'));
          }),
        ),
      ),
    ).toContain('"message":"b"');
    marbles(({ expectObservable }) => expectObservable(of({ a: 1, b: undefined })).toBe('(a|)', { a: { a: 1 } }));
  });

  it.each<readonly [string, unknown, unknown]>([
    ['maps', new Map([[1, 2]]), new Map([[3, 4]])],
    ['a set and an object', new Set([1]), {}],
    ['a date and an object', new Date(0), {}],
    ['NaN and null', Number.NaN, null],
    ['large whole numbers', 1n, 2n],
  ])('fails where a value is another: %s', (_what, actual, expected) => {
    const reason = thrownBy(() =>
      marbles(({ expectObservable }) => expectObservable(of(actual)).toBe('(a|)', { a: expected })),
    );
    expect(String(reason)).toContain('the streams differ');
    marbles(({ expectObservable }) => expectObservable(of(actual)).toBe('(a|)', { a: actual }));
  });

  it('fails where an error is another in its code alone', () => {
    const failing = (code: number) => Object.assign(new Error('m'), { code });
    const differs = (code: number) => () =>
      marbles(({ expectObservable }) =>
        expectObservable(throwError(() => failing(1))).toBe('#', undefined, failing(code)),
      );
    expect(String(thrownBy(differs(2)))).toContain('the streams differ');
    differs(1)();
  });

  it('refuses a body whose end it could not wait for, and what is no body', () => {
    const later = async (): Promise<void> => {
      await Promise.resolve();
      throw new Error('heard by nobody');
    };
    for (const body of [later, undefined, 1]) {
      const refused = thrownBy(() => marbles(body as () => void));
      expect(refused).toBeInstanceOf(OptionError);
      expect(refused).toMatchObject({ option: 'body' });
    }
  });

  it('compares by the means of the test, where it gives some', () => {
    const compared: unknown[] = [];
    marbles(
      ({ expectObservable }) => expectObservable(of(1)).toBe('(a|)', { a: 2 }),
      (actual, expected) => compared.push([actual, expected]),
    );
    expect(compared).toHaveLength(1);
  });

  it('closes its clients, also where it fails', () => {
    const clients: McpClient[] = [];
    marbles(({ connect }) => clients.push(connect(scriptedTransport())));
    thrownBy(() =>
      marbles(({ connect }) => {
        clients.push(connect(scriptedTransport()));
        throw new Error('no');
      }),
    );
    expect(clients.map(({ alive }) => alive)).toEqual([false, false]);
  });

  it('has no mark of what its end brings', () => {
    let seen: readonly Mark[] = [];
    marbles(({ connect, marksOf }) => {
      seen = marksOf(connect(fixtureServer().connector).tools$.pipe(map((tools) => tools.length)));
    });
    expect(seen).toEqual([[0, 9]]);
  });

  it('is the same in the next test of the same turn, whatever the one before left open', () => {
    const inOrder = (fails: boolean): void =>
      marbles(({ connect, expectObservable, flush }) => {
        const mcp = connect(fixtureServer().connector);
        expectObservable(mcp.tools$.pipe(map((tools) => tools.length))).toBe('a', { a: 9 });
        expectObservable(mcp.watchResource('fixture://text').pipe(map(({ contents }) => contents.length))).toBe('a', {
          a: 1,
        });
        if (!fails) return;
        connect(fixtureServer().connector).tools$.subscribe();
        flush();
        connect(fixtureServer().connector).tools$.subscribe();
        throw new Error('no');
      });
    inOrder(false);
    inOrder(false);
    expect(thrownBy(() => inOrder(true))).toMatchObject({ message: 'no' });
    inOrder(false);
  });

  it('does not wait for what was begun in real time', async () => {
    const real = connectInMemory(fixtureServer());
    const tools = firstValueFrom(real.tools$);
    marbles(({ connect, expectObservable }) => {
      const mcp = connect(fixtureServer().connector);
      expectObservable(mcp.tools$.pipe(map((list) => list.length))).toBe('a', { a: 9 });
    });
    expect(await tools).toHaveLength(9);
    await real.close();
  });

  it('leaves nothing that later live lists would wait for, where it fails', async () => {
    thrownBy(() =>
      marbles(({ connect }) => {
        connect(fixtureServer().connector).tools$.subscribe();
        throw new Error('no');
      }),
    );
    let turns = 0;
    asapScheduler.schedule(() => (turns += 1));
    await setImmediate();
    expect(turns).toBe(1);
  });
});
