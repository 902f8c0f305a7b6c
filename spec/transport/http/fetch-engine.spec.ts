import { describe, expect, it } from '@jest/globals';
import { createEngine, fetchEngine, neverConnected } from '../../../src/transport/http/fetch-engine.js';
import type { FetchLike } from '../../../src/transport/http/fetch-like.js';
import { watch } from '../../support/client/watch.js';
import { describeEngine } from '../../support/http/engine.contract.js';

const request = { method: 'POST', url: 'https://mcp.example/mcp', headers: { accept: 'a' }, body: '{}' } as const;

describeEngine('fetch', createEngine);

describe('an engine on a fetch of the user’s own', () => {
  it('hands it all there is to a request, and follows no redirect', () => {
    const calls: unknown[][] = [];
    const engine = fetchEngine((...args) => {
      calls.push(args);
      return new Promise(() => undefined);
    });
    watch(engine.send(request));
    expect(calls).toEqual([
      [
        'https://mcp.example/mcp',
        { method: 'POST', headers: { accept: 'a' }, body: '{}', redirect: 'manual', signal: expect.any(AbortSignal) },
      ],
    ]);
  });

  it('gives a request without a body none', () => {
    let body: unknown = 'unset';
    const engine = fetchEngine((_input, init) => {
      ({ body } = init);
      return new Promise(() => undefined);
    });
    watch(engine.send({ ...request, method: 'GET', body: undefined }));
    expect(body).toBeNull();
  });

  it('aborts where nobody waits any longer, and not after the answer', async () => {
    const signals: AbortSignal[] = [];
    const engine = fetchEngine((_input, init) => {
      signals.push(init.signal);
      return signals.length === 1 ? new Promise(() => undefined) : Promise.resolve(new Response('body'));
    });
    watch(engine.send(request)).subscription.unsubscribe();
    await watch(engine.send(request)).end;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new TypeError('no');
      },
    ],
    ['rejects', () => Promise.reject(new TypeError('no'))],
  ])('errors with what it %s', async (_how, fetch) => {
    const seen = watch(fetchEngine(fetch).send(request));
    expect(await seen.end).toEqual(new TypeError('no'));
  });

  it.each([
    undefined,
    null,
    'text',
    {},
    { status: 200 },
    { status: '200', headers: new Headers(), body: null },
    { status: 200, headers: {}, body: null },
    { status: 200, headers: new Headers(), body: {} },
    { status: 200, headers: new Headers() },
  ])('errors where it answers with what is no Response: %p', async (answer) => {
    for (const fetch of [() => Promise.resolve(answer), () => answer]) {
      const seen = watch(fetchEngine(fetch as unknown as FetchLike).send(request));
      expect(await seen.end).toEqual(new TypeError('fetch answered with what is no Response'));
    }
  });

  it('errors where a body is made of anything but bytes, and hangs up', async () => {
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue('{"jsonrpc":"2.0"}');
      },
    });
    let signal: AbortSignal | null | undefined;
    const fetch = (_: unknown, init?: RequestInit): Promise<Response> => {
      ({ signal } = init ?? {});
      return Promise.resolve(new Response(body));
    };
    const seen = watch(fetchEngine(fetch).send(request));
    await seen.end;
    const read = watch(seen.values[0]!.body$);
    expect(await read.end).toEqual(new TypeError('the body of the response is not made of bytes'));
    expect(signal?.aborted).toBe(true);
  });

  it('lets go of a body that nobody reads any longer, though it does not look at the signal', async () => {
    const cancelled: string[] = [];
    const body = (name: string): ReadableStream => new ReadableStream({ cancel: () => void cancelled.push(name) });
    const read = watch(fetchEngine(() => Promise.resolve(new Response(body('read')))).send(request));
    await read.end;
    watch(read.values[0]!.body$).subscription.unsubscribe();
    let answer: (response: Response) => void = () => undefined;
    const late = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    watch(fetchEngine(() => late).send(request)).subscription.unsubscribe();
    answer(new Response(body('late')));
    await late;
    await Promise.resolve();
    expect(cancelled).toEqual(['read', 'late']);
  });

  it('takes a response without a body', async () => {
    const seen = watch(fetchEngine(() => Promise.resolve(new Response(null, { status: 204 }))).send(request));
    await seen.end;
    const body = watch(seen.values[0]!.body$);
    expect([body.values, body.completed]).toEqual([[], true]);
    seen.values[0]!.discard();
  });

  it('looks the platform’s fetch up for each request', async () => {
    const before = globalThis.fetch;
    const engine = createEngine();
    try {
      globalThis.fetch = () => Promise.resolve(new Response('mine'));
      const seen = watch(engine.send(request));
      await seen.end;
      expect(seen.values[0]?.status).toBe(200);
    } finally {
      globalThis.fetch = before;
    }
  });
});

describe('an error of the network', () => {
  const coded = (code: string, rest: object = {}): Error => Object.assign(new Error(code), { code, ...rest });

  it.each([
    coded('ECONNREFUSED'),
    coded('ENOTFOUND'),
    coded('EAI_AGAIN'),
    coded('EHOSTUNREACH'),
    coded('ENETUNREACH'),
    coded('UND_ERR_CONNECT_TIMEOUT'),
    new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }),
    new TypeError('fetch failed', {
      cause: new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')], 'both families'),
    }),
    // No port and no descriptor is left, a firewall says no, nobody answers: what Node was at says it.
    ...['EADDRNOTAVAIL', 'EMFILE', 'EPERM', 'ETIMEDOUT'].map((code) => coded(code, { syscall: 'connect' })),
    coded('EMFILE', { syscall: 'getaddrinfo' }),
    // Of several addresses none could be connected to; the code of the whole is that of its first part.
    Object.assign(new AggregateError([coded('ETIMEDOUT', { syscall: 'connect' }), coded('ENETUNREACH')]), {
      code: 'ETIMEDOUT',
    }),
  ])('says that there was no connection: %p', (reason) => {
    expect(neverConnected(reason)).toBe(true);
  });

  it.each([
    coded('ECONNRESET'),
    coded('UND_ERR_SOCKET'),
    new TypeError('fetch failed', { cause: coded('EPIPE') }),
    new AggregateError([coded('ECONNREFUSED'), coded('ECONNRESET')]),
    // The way to the server was lost behind a request that was on it.
    coded('EHOSTUNREACH', { syscall: 'read' }),
    coded('ENETUNREACH', { syscall: 'write' }),
    new TypeError('fetch failed'),
    'ECONNREFUSED',
    undefined,
    null,
  ])('leaves it open: %p', (reason) => {
    expect(neverConnected(reason)).toBe(false);
  });

  it('that is its own cause is looked into no deeper than is useful', () => {
    const reason = new Error('round');
    reason.cause = reason;
    expect(neverConnected(reason)).toBe(false);
  });
});
