import { describe, expect, it, jest } from '@jest/globals';
import { defer, EMPTY, NEVER, of, Subject, throwError } from 'rxjs';
import { NetworkError, UnauthorizedError } from '../../../src/errors/index.js';
import type { Outbound } from '../../../src/jsonrpc/index.js';
import { httpConnector } from '../../../src/transport/http/index.js';
import { Opening } from '../../../src/transport/http/opening.js';
import type { Transport, WireForm } from '../../../src/transport/index.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';
import { unrecorded } from '../../support/frames/unrecorded.js';
import { sending } from '../../contract/reader.js';

const INITIALIZE: Outbound = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
const INITIALIZED: Outbound = { jsonrpc: '2.0', method: 'notifications/initialized' };
const LIST: Outbound = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
const NOTICE: Outbound = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
const ANSWER: Outbound = { jsonrpc: '2.0', id: 'ping', result: {} };

describe('the opening of a legacy wire whose messages are exchanges of their own', () => {
  it('keeps nothing back before the notice that ends the handshake', () => {
    const opening = new Opening();
    expect([INITIALIZE, LIST].map((message) => watch(opening.behind(message, of('sent'))).values)).toEqual([
      ['sent'],
      ['sent'],
    ]);
  });

  it('lets the notice itself go, and answers, and keeps back what else follows', () => {
    const opening = new Opening();
    const sent = [INITIALIZED, ANSWER, LIST, NOTICE].map(
      (message) => watch(opening.behind(message, of('sent'))).values.length,
    );
    expect(sent).toEqual([1, 1, 0, 0]);
    opening.end();
  });

  it('lets all of it go in order at the end, and keeps nothing back from then on', () => {
    const opening = new Opening();
    watch(opening.behind(INITIALIZED, EMPTY));
    const order: string[] = [];
    for (const name of ['first', 'second']) {
      opening.behind(LIST, of(name)).subscribe({ next: (sent) => order.push(sent), error: () => undefined });
    }
    opening.end();
    expect(order).toEqual(['first', 'second']);
    expect(watch(opening.behind(LIST, of('sent'))).values).toEqual(['sent']);
  });

  it('has the notice sent again by the first call that waits, where the server wanted an authorization for it', () => {
    const opening = new Opening();
    watch(opening.behind(INITIALIZED, EMPTY));
    const answers: Subject<string>[] = [];
    opening.refused(
      defer(() => {
        answers.push(new Subject());
        return answers.at(-1)!;
      }),
    );
    expect(watch(opening.behind(NOTICE, of('sent'), 'background')).values).toEqual(['sent']);
    expect(answers).toHaveLength(0);
    const first = watch(opening.behind(LIST, of('sent')));
    const second = watch(opening.behind(LIST, of('sent')));
    expect([answers.length, first.values, second.values]).toEqual([1, [], []]);
    // Nobody is asked for a call that was given up.
    first.subscription.unsubscribe();
    second.subscription.unsubscribe();
    expect(answers[0]!.observed).toBe(false);
    const third = watch(opening.behind(LIST, of('sent')));
    answers[1]!.error(new UnauthorizedError(undefined));
    expect(third.error).toBeInstanceOf(UnauthorizedError);
    const fourth = watch(opening.behind(LIST, of('sent')));
    answers[2]!.next('202');
    answers[2]!.complete();
    expect(fourth.values).toEqual(['sent']);
    expect(watch(opening.behind(LIST, of('sent'))).values).toEqual(['sent']);
    expect(answers).toHaveLength(3);
  });

  it('leaves it to the call where the notice is lost for another reason', () => {
    const opening = new Opening();
    watch(opening.behind(INITIALIZED, EMPTY));
    opening.refused(throwError(() => new NetworkError('https://mcp.example/mcp', new Error('gone'), true)));
    expect(watch(opening.behind(LIST, of('sent'))).values).toEqual(['sent']);
  });

  it('never sends what was given up before', () => {
    const opening = new Opening();
    watch(opening.behind(INITIALIZED, EMPTY));
    const exchange$ = new Subject();
    const seen = watch(opening.behind(LIST, exchange$));
    seen.subscription.unsubscribe();
    opening.end();
    expect(exchange$.observed).toBe(false);
  });

  it('waits for half a second more once the notice was heard, and for five seconds if it never is', () => {
    inVirtualTime(({ at }) => {
      const [heard, silent] = [new Opening(), new Opening()].map((opening) => {
        watch(opening.behind(INITIALIZED, NEVER));
        return { opening, seen: watch(opening.behind(LIST, of('sent'))) };
      });
      at(100, () => heard?.opening.heard());
      at(599, () => expect(heard?.seen.values).toEqual([]));
      at(601, () => expect(heard?.seen.values).toEqual(['sent']));
      at(4_999, () => expect(silent?.seen.values).toEqual([]));
      at(5_001, () => {
        expect(silent?.seen.values).toEqual(['sent']);
        expect(silent && watch(silent.opening.behind(LIST, of('later'))).values).toEqual(['later']);
      });
    });
  });
});

/** A server by hand: every request that has reached it, and the way to answer the last one. */
const byHand = (form: WireForm) => {
  const reached: string[] = [];
  const answers: ((response: Response) => void)[] = [];
  const fetch: typeof globalThis.fetch = (_, init) => {
    const { body, method = '' } = init ?? {};
    reached.push(typeof body === 'string' ? ((JSON.parse(body) as { method?: string }).method ?? 'answer') : method);
    return new Promise((resolve) => answers.push(resolve));
  };
  let transport: Transport | undefined;
  const subscription = httpConnector({ url: 'http://server.example/mcp', fetch })(form).subscribe({
    next: (opened) => {
      transport = unrecorded(opened);
    },
    error: () => undefined,
  });
  const warnings: string[] = [];
  return {
    reached,
    warnings,
    /** Closes the transport, whose goodbye is answered. */
    close: async () => {
      subscription.unsubscribe();
      answers.at(-1)?.(new Response());
      await new Promise((resolve) => setImmediate(resolve));
    },
    get transport(): Transport {
      if (transport === undefined) throw new Error('not open yet');
      return transport;
    },
    /** Answers the request that came last; what comes of it is there when this is done. */
    answer: async (status: number, body: string | ReadableStream | null = null, headers: HeadersInit = {}) => {
      answers.at(-1)?.(new Response(body, { status, headers }));
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
};

const openStream = (first?: string): ReadableStream =>
  new ReadableStream({
    start: (controller) => {
      if (first !== undefined) controller.enqueue(new TextEncoder().encode(first));
    },
  });
const STREAM = { 'content-type': 'text/event-stream' };

/** A session that has been named, with the notice on its way and a request behind it. */
const opened = async () => {
  const server = byHand('legacy');
  const { transport } = server;
  transport.warnings$?.subscribe({ next: (warning) => server.warnings.push(warning), error: () => undefined });
  watch(transport.inbound$);
  const initialized = sending(transport, INITIALIZE);
  const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'spec', version: '1' } };
  await server.answer(200, JSON.stringify({ jsonrpc: '2.0', id: 1, result }), {
    'content-type': 'application/json',
    'mcp-session-id': 'one',
  });
  expect(await initialized.end).toBe('complete');
  watch(transport.send(INITIALIZED));
  watch(transport.send(LIST));
  expect(server.reached).toEqual(['initialize', 'notifications/initialized']);
  return server;
};

describe('a legacy HTTP session', () => {
  it("sends its first request when the server has the opening notice and the server's own stream is open", async () => {
    const server = await opened();
    await server.answer(202);
    expect(server.reached.slice(2)).toEqual(['GET']);
    await server.answer(200, openStream(), STREAM);
    expect(server.reached.slice(2)).toEqual(['GET', 'tools/list']);
    await server.close();
  });

  it.each([405, 404, 500])('goes on where the stream is refused by %s, and lives', async (status) => {
    const server = await opened();
    await server.answer(202);
    await server.answer(status);
    expect(server.reached.slice(2)).toEqual(['GET', 'tools/list']);
    expect(server.transport.alive).toBe(true);
    expect(server.warnings).toHaveLength(status === 404 ? 1 : 0);
    await server.close();
  });

  it('goes on half a second after the opening notice where the stream is not answered at all', async () => {
    const server = await opened();
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      await server.answer(202);
      jest.advanceTimersByTime(499);
      expect(server.reached.slice(2)).toEqual(['GET']);
      jest.advanceTimersByTime(1);
      expect(server.reached.slice(2)).toEqual(['GET', 'tools/list']);
    } finally {
      jest.useRealTimers();
    }
    await server.close();
  });

  it('that is closed meanwhile sends nothing of what it kept back', async () => {
    const server = await opened();
    await server.answer(202);
    await server.close();
    expect(server.reached.slice(2)).toEqual(['GET', 'DELETE']);
  });

  it('goes on where the opening notice is refused', async () => {
    const server = await opened();
    await server.answer(500);
    expect(server.reached.slice(2)).toEqual(['tools/list']);
    await server.close();
  });
});

describe('an HTTP+SSE connection', () => {
  it.each([202, 500])('sends its first request when the opening notice has been answered with %s', async (status) => {
    const server = byHand('sse');
    await server.answer(200, openStream('event: endpoint\ndata: /messages\n\n'), STREAM);
    const { transport } = server;
    watch(transport.send(INITIALIZED));
    watch(transport.send(LIST));
    expect(server.reached).toEqual(['GET', 'notifications/initialized']);
    await server.answer(status);
    expect(server.reached).toEqual(['GET', 'notifications/initialized', 'tools/list']);
    await server.close();
  });
});
