import { describe, expect, it, jest } from '@jest/globals';
import { EMPTY, NEVER, of, Subject, throwError } from 'rxjs';
import type { JsonRpcRequest, Outbound, RequestId } from '../../src/jsonrpc/index.js';
import { Channels, type RequestHandler, type Warning } from '../../src/session/index.js';
import { RequestRefused, Responder } from '../../src/session/serve.js';
import { marbles } from '../support/marbles.js';

const request = (id: RequestId, method = 'roots/list'): JsonRpcRequest => ({ jsonrpc: '2.0', id, method });

const responding = (
  handler?: RequestHandler,
): { readonly responder: Responder; readonly written: Outbound[]; readonly warnings: Warning[] } => {
  const written: Outbound[] = [];
  const warnings: Warning[] = [];
  const channels = new Channels({ onWarn: (warning) => warnings.push(warning) });
  const handlers = new Map(handler === undefined ? [] : [['roots/list', handler]]);
  const write = (message: Outbound, done: () => void): void => {
    written.push(message);
    done();
  };
  return { responder: new Responder(handlers, { write }, channels), written, warnings };
};

describe('Responder', () => {
  it.each<RequestId>([0, 1, '', 'a'])('answers a ping at once, under its own id: %j', (id) => {
    const { responder, written } = responding();
    responder.serve(request(id, 'ping'));
    expect(written).toEqual([{ jsonrpc: '2.0', id, result: {} }]);
  });

  it('serves a request that comes again while it is open no second time', () => {
    const answer$ = new Subject<unknown>();
    let asked = 0;
    const { responder, written, warnings } = responding(() => {
      asked += 1;
      return answer$;
    });
    responder.serve(request(1));
    responder.serve(request(1));
    answer$.next({ roots: [] });
    answer$.complete();
    expect([asked, written, warnings]).toEqual([1, [{ jsonrpc: '2.0', id: 1, result: { roots: [] } }], []]);
    responder.serve(request(1));
    expect(asked).toBe(2);
  });

  it('tells a handler on whose channel the request came, where there is such a thing', () => {
    const channels: unknown[] = [];
    const { responder } = responding((_request, channel) => {
      channels.push(channel);
      return EMPTY;
    });
    responder.serve(request(1), 0);
    responder.serve(request(2));
    expect(channels).toEqual([0, undefined]);
  });

  it('refuses what it does not serve by -32601, naming it', () => {
    const { responder, written, warnings } = responding();
    responder.serve(request(5, 'acme/thing'));
    responder.serve(request(6, 'toString'));
    expect(written).toEqual([
      { jsonrpc: '2.0', id: 5, error: { code: -32601, message: 'this client does not serve acme/thing' } },
      { jsonrpc: '2.0', id: 6, error: { code: -32601, message: 'this client does not serve toString' } },
    ]);
    expect(warnings).toEqual([]);
  });

  it("hands the request to its handler and answers with the handler's last value, when that completes", () => {
    marbles(({ cold, expectObservable }) => {
      const { responder, written } = responding(({ id }) => cold('-a-b--|', { a: { n: 1 }, b: { of: id } }));
      responder.serve(request(7));
      expectObservable(cold('-----a(b|)')).toBe('-----a(b|)');
      cold('-----x').subscribe(() => {
        expect(written).toEqual([]);
      });
      cold('-------x').subscribe(() => {
        expect(written).toEqual([{ jsonrpc: '2.0', id: 7, result: { of: 7 } }]);
      });
    });
  });

  it('answers an empty object where a handler completes empty', () => {
    const { responder, written } = responding(() => EMPTY);
    responder.serve(request(1));
    expect(written).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it('answers with the error a handler refuses with', () => {
    const body = { code: -1, message: 'the user said no', data: { a: 1 } };
    const { responder, written } = responding(() => throwError(() => new RequestRefused(body)));
    responder.serve(request(1));
    expect(written).toEqual([{ jsonrpc: '2.0', id: 1, error: body }]);
  });

  it.each<[string, RequestHandler]>([
    ['errors', () => throwError(() => new Error('secret'))],
    [
      'throws before it returns',
      () => {
        throw new Error('secret');
      },
    ],
  ])('answers -32603, and keeps the reason to itself, where a handler %s', (_how, handler) => {
    const { responder, written } = responding(handler);
    responder.serve(request(1));
    expect(written).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'the request could not be served' } },
    ]);
  });

  it('unsubscribes the handler of a request that the server withdraws, and answers nothing', () => {
    marbles(({ cold, expectSubscriptions }) => {
      const first$ = cold('                        -----(a|)');
      const second$ = cold('                       -----(a|)');
      const { responder, written } = responding(({ id }) => (id === 1 ? first$ : second$));
      responder.serve(request(1));
      responder.serve(request(2));
      cold('--w').subscribe(() => {
        responder.withdraw(1);
        for (const stranger of [3, '1', null, undefined, {}]) responder.withdraw(stranger);
      });
      expectSubscriptions(first$.subscriptions).toBe(' ^-!');
      expectSubscriptions(second$.subscriptions).toBe('^----!');
      cold('------x').subscribe(() => {
        expect(written).toEqual([{ jsonrpc: '2.0', id: 2, result: 'a' }]);
      });
    });
  });

  it('unsubscribes every handler when it is closed', () => {
    marbles(({ cold, expectSubscriptions }) => {
      const handler$ = cold('                       --------(a|)');
      const { responder, written } = responding(() => handler$);
      responder.serve(request(1));
      responder.serve(request(2));
      cold('---c').subscribe(() => {
        responder.close();
      });
      expectSubscriptions(handler$.subscriptions).toBe(['^--!', '^--!']);
      cold('---------x').subscribe(() => {
        expect(written).toEqual([]);
      });
    });
  });

  it('serves a later request under an id that is free again', () => {
    const { responder, written } = responding(() => of('again'));
    responder.serve(request(1));
    responder.serve(request(1));
    expect(written).toHaveLength(2);
  });

  it('withdraws nothing that was answered', () => {
    const { responder, written } = responding(() => of('done'));
    responder.serve(request(1));
    responder.withdraw(1);
    responder.close();
    expect(written).toEqual([{ jsonrpc: '2.0', id: 1, result: 'done' }]);
  });

  it('answers nothing to a modern server, a ping neither, and warns of each request', () => {
    const { responder, written, warnings } = responding(() => NEVER);
    responder.answers = false;
    const asked = [request(1), request(2, 'ping'), request(3, 'acme/thing')];
    for (const one of asked) responder.serve(one);
    expect(written).toEqual([]);
    expect(warnings).toEqual(
      asked.map((one) => ({
        kind: 'unexpected-request',
        message: `a modern server sent the request ${one.method}, which must not be answered`,
        detail: one,
      })),
    );
  });

  it('serves a hundred requests within a second, refuses what is more, and warns once of a flood', () => {
    marbles(({ cold }) => {
      const { responder, written, warnings } = responding();
      const codes = (): unknown[] =>
        written.splice(0).map((message) => ('error' in message ? message.error.code : 'ok'));
      const ask = (times: number): void => {
        for (let id = 0; id < times; id += 1) responder.serve(request(id, 'ping'));
      };
      ask(100);
      expect(codes()).toEqual(Array.from({ length: 100 }, () => 'ok'));
      expect(warnings).toEqual([]);
      ask(3);
      expect(codes()).toEqual([-32603, -32603, -32603]);
      expect(warnings).toMatchObject([{ kind: 'too-many-requests' }]);
      cold('999ms x').subscribe(() => {
        ask(1);
        expect(codes()).toEqual([-32603]);
      });
      cold('1000ms x').subscribe(() => {
        ask(101);
        expect(codes().slice(99)).toEqual(['ok', -32603]);
        // It has not stopped since.
        expect(warnings).toHaveLength(1);
      });
      cold('2000ms x').subscribe(() => ask(1));
      cold('3000ms x').subscribe(() => {
        ask(101);
        expect(warnings).toHaveLength(2);
      });
    });
  });

  it('goes on serving after the clock was set back', () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(5_000_000);
    try {
      const { responder, written } = responding();
      for (let id = 0; id < 101; id += 1) responder.serve(request(id, 'ping'));
      now.mockReturnValue(1_000_000);
      responder.serve(request('later', 'ping'));
      expect(written.at(-1)).toEqual({ jsonrpc: '2.0', id: 'later', result: {} });
    } finally {
      now.mockRestore();
    }
  });

  it('serves a hundred requests in a second, refuses the rest with one warning, and serves again in the next', () => {
    marbles(({ cold }) => {
      const { responder, written, warnings } = responding(() => of('served'));
      const flood = (count: number): string[] => {
        const from = written.length;
        for (let id = 0; id < count; id += 1) responder.serve(request(id, id % 2 === 0 ? 'roots/list' : 'ping'));
        return written.slice(from).map((message) => ('error' in message ? 'refused' : 'served'));
      };
      const served = Array.from({ length: 100 }, () => 'served');
      expect(flood(60)).toEqual(served.slice(40));
      cold('999ms x').subscribe(() => {
        expect(flood(10_000)).toEqual([...served.slice(60), ...Array.from({ length: 9_960 }, () => 'refused')]);
        expect(written.at(-1)).toEqual({
          jsonrpc: '2.0',
          id: 9_999,
          error: { code: -32603, message: 'too many requests: ask again later' },
        });
      });
      cold('1000ms x').subscribe(() => {
        expect(flood(101)).toEqual([...served, 'refused']);
        expect(warnings).toEqual([
          {
            kind: 'too-many-requests',
            message: 'the server makes more than 100 requests a second; the rest are refused',
          },
        ]);
      });
    });
  });

  it('has sixteen handlers at work at once; up to a hundred requests wait for their turn, the rest are refused', () => {
    marbles(() => {
      const answers: Subject<unknown>[] = [];
      const { responder, written } = responding(() => {
        const answer$ = new Subject<unknown>();
        answers.push(answer$);
        return answer$;
      });
      for (let id = 0; id < 100; id += 1) responder.serve(request(id));
      expect([answers.length, written.length]).toEqual([16, 0]);
      answers[0]!.complete();
      answers[1]!.error(new RequestRefused({ code: -1, message: 'no' }));
      expect([answers.length, written.length]).toEqual([18, 2]);
      // One that waits is withdrawn, and one that is at work.
      responder.withdraw(18);
      responder.withdraw(17);
      expect([answers.length, answers[17]!.observed]).toEqual([19, false]);
      responder.close();
      expect([answers.length, answers.some(({ observed }) => observed)]).toEqual([19, false]);
    });
  });

  it('refuses what comes while a hundred wait, and answers a ping beside those at work', () => {
    marbles(({ cold }) => {
      const { responder, written } = responding(() => NEVER);
      for (let id = 0; id < 90; id += 1) responder.serve(request(id));
      responder.serve(request('ping', 'ping'));
      expect(written).toEqual([{ jsonrpc: '2.0', id: 'ping', result: {} }]);
      cold('1000ms x').subscribe(() => {
        for (let id = 90; id < 101; id += 1) responder.serve(request(id));
        expect(written.slice(1)).toMatchObject([{ id: 100, error: { code: -32603 } }]);
      });
    });
  });
});

describe('a server that does not take the answers it has asked for', () => {
  const unread = () => {
    const done: (() => void)[] = [];
    const written: Outbound[] = [];
    const warnings: Warning[] = [];
    const channels = new Channels({ onWarn: (warning) => warnings.push(warning) });
    const write = (message: Outbound, settled: () => void): void => {
      written.push(message);
      done.push(settled);
    };
    return { responder: new Responder(new Map(), { write }, channels), done, written, warnings };
  };

  it('gets no more than a hundred, and one warning, until it has taken some', () => {
    marbles(({ cold }) => {
      const { responder, done, written, warnings } = unread();
      for (let id = 0; id < 50; id += 1) responder.serve(request(id, 'ping'));
      for (let second = 1; second < 60; second += 1) {
        cold(`${second}s x`).subscribe(() => {
          for (let id = 0; id < 2_000; id += 1) responder.serve(request(`${second} ${id}`, 'ping'));
        });
      }
      cold('61s x').subscribe(() => {
        expect(written).toHaveLength(100);
        expect(warnings.map(({ kind }) => kind)).toEqual(['too-many-requests', 'too-many-requests']);
        for (const settled of done.splice(0)) settled();
        responder.serve(request('again', 'ping'));
        expect(written.at(-1)).toMatchObject({ id: 'again' });
      });
    });
  });

  it('is told of once for all of a flood, though it takes some now and then', () => {
    marbles(({ cold }) => {
      const { responder, done, warnings } = unread();
      for (let time = 0; time < 40; time += 1) {
        cold(`${time * 50}ms x`).subscribe(() => {
          for (let id = 0; id < 200; id += 1) responder.serve(request(`${time} ${id}`, 'ping'));
          for (const settled of done.splice(0)) settled();
        });
      }
      cold('4s x').subscribe(() => {
        expect(warnings).toHaveLength(2);
        for (let id = 0; id < 101; id += 1) responder.serve(request(`later ${id}`, 'ping'));
        expect(warnings).toHaveLength(4);
      });
    });
  });

  it('gets no more than a million characters of its own ids', () => {
    const { responder, written } = unread();
    for (let id = 0; id < 50; id += 1) responder.serve(request(`${id}${'x'.repeat(100_000)}`, 'ping'));
    expect(written).toHaveLength(10);
  });

  it('gets as many again once it has taken them, each counted as taken once', () => {
    const { responder, written, done, warnings } = unread();
    const ask = (): void => {
      for (let id = 0; id < 12; id += 1) responder.serve(request(String(id).padEnd(100_000, 'x'), 'ping'));
    };
    ask();
    expect(written).toHaveLength(10);
    expect(warnings).toEqual([
      {
        kind: 'too-many-requests',
        message: 'the server makes requests and does not take the answers; until it does the rest are dropped',
      },
    ]);
    for (const settled of done.splice(0)) {
      settled();
      settled();
    }
    ask();
    expect(written).toHaveLength(20);
    for (const settled of done.splice(0)) settled();
    for (let id = 0; id < 200; id += 1) responder.serve(request(id, 'ping'));
    // Those of numbers have no text, so that their number counts: a hundred at once, and as many a second.
    expect(written).toHaveLength(20 + 100);
  });
});
