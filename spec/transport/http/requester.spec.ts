import { describe, expect, it, jest } from '@jest/globals';
import { BehaviorSubject, EMPTY, firstValueFrom, NEVER, of, Subject, throwError } from 'rxjs';
import { HttpError, NetworkError, OptionError, TransportError, UnauthorizedError } from '../../../src/errors/index.js';
import type { AuthChallenge, AuthProvider, HttpParameters } from '../../../src/transport/http/options.js';
import { httpErrorOf } from '../../../src/transport/http/http-error-of.js';
import { Requester } from '../../../src/transport/http/requester.js';
import { rejection, watch } from '../../support/client/watch.js';
import { until } from '../../support/http/turns.js';
import { checked } from '../../support/http/responses.js';

interface Call {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A requester on a fetch that answers from a list; what is not on it is a 200. */
const requester = (answers: readonly (Response | Error)[] = [], parameters: Partial<HttpParameters> = {}) => {
  const calls: Call[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    const answer = answers[calls.length] ?? new Response('fine');
    calls.push({ url: input, ...init } as unknown as Call);
    return answer instanceof Response ? Promise.resolve(answer) : Promise.reject(answer);
  };
  const one = new Requester(checked({ fetch, ...parameters }));
  const send = (headers = {}) => firstValueFrom(one.send({ method: 'POST', headers, body: '{}' }));
  return { calls, send, requester: one };
};

const headersOf = (calls: readonly Call[]) => calls.map(({ headers }) => headers);

const redirect = (location: string): Response => new Response(null, { status: 307, headers: { location } });

const refusal = (status = 401, challenge?: string): Response =>
  new Response('refused', { status, headers: challenge === undefined ? {} : { 'www-authenticate': challenge } });

describe('a request', () => {
  it('goes to the endpoint with the fields of its message, when it is subscribed to', async () => {
    const { calls, send, requester: one } = requester();
    void one.send({ method: 'POST', headers: {} });
    expect(calls).toEqual([]);
    const response = await send({ 'mcp-method': 'ping' });
    expect(response.status).toBe(200);
    expect(calls).toMatchObject([
      { url: 'https://mcp.example/mcp', method: 'POST', headers: { 'mcp-method': 'ping' }, body: '{}' },
    ]);
  });

  it.each(['secret', 'Bearer secret', 'DPoP secret'])(
    'that is refused is an error without its token, whatever the server says of it: %s',
    async (token) => {
      const challenge = 'Bearer error_description="secret is not good, nor is Bearer secret", scope="a"';
      const { send } = requester([refusal(401, challenge), refusal(401, challenge)], {
        authProvider: { token: () => token, onUnauthorized: () => false },
      });
      const error = await rejection(send());
      expect(error).toMatchObject({ name: 'UnauthorizedError', challenge: expect.stringContaining('scope="a"') });
      expect(JSON.stringify([error, String(error)])).not.toContain('secret');
    },
  );

  it('may go elsewhere', async () => {
    const { calls, requester: one } = requester();
    await firstValueFrom(one.send({ method: 'POST', url: 'https://mcp.example/messages', headers: {} }));
    expect(calls[0]?.url).toBe('https://mcp.example/messages');
  });

  it('that fails is a NetworkError, which names the endpoint without its query', async () => {
    const { send } = requester([new TypeError('fetch failed')], { url: 'https://mcp.example/mcp?key=secret' });
    const error = await rejection(send());
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ url: 'https://mcp.example/mcp', left: true, cause: new TypeError('fetch failed') });
    expect(String(error)).not.toContain('secret');
  });

  it('says if it cannot have left', async () => {
    const { send } = requester([Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })]);
    expect(await rejection(send())).toMatchObject({ name: 'NetworkError', left: false });
  });

  it.each([
    new TypeError('Cannot convert argument to a ByteString'),
    Object.assign(new Error('invalid connection header'), { code: 'UND_ERR_INVALID_ARG' }),
    Object.assign(new Error('expect header not supported'), { code: 'UND_ERR_NOT_SUPPORTED' }),
  ])('that cannot be made is the caller’s error: %p', async (reason) => {
    const { send } = requester([reason]);
    expect(await rejection(send())).toMatchObject({ name: 'OptionError', option: 'headers' });
  });
});

describe('a request that fails otherwise', () => {
  it.each([
    ['an error that is no TypeError', new Error('a header was lost')],
    ['a TypeError about something else', new TypeError('fetch failed')],
    ['an error with another code', Object.assign(new Error('reset'), { code: 'UND_ERR_SOCKET' })],
    ['what is no error', { name: 'TypeError', message: 'header', code: 'UND_ERR_INVALID_ARG' }],
    ['a text', 'header'],
  ])('is the network’s failure, though it may speak of headers: %s', async (_what, reason) => {
    const { send } = requester([], { fetch: () => Promise.reject(reason) });
    expect(await rejection(send())).toMatchObject({ name: 'NetworkError', cause: reason });
  });
});

describe('a request whose fetch fails with an error of this library’s', () => {
  it('fails with that', async () => {
    const own = new HttpError(503, 'busy', '');
    const { send } = requester([own]);
    expect(await rejection(send())).toBe(own);
  });
});

/** A response whose body is not read yet, and whether it was let go. */
const held = (status: number, headers: Readonly<Record<string, string>> = {}) => {
  const seen = { cancelled: false };
  const body = new ReadableStream({
    cancel: () => {
      seen.cancelled = true;
    },
  });
  return { seen, response: new Response(body, { status, headers }) };
};

describe('a response that is not handed on', () => {
  it.each([
    ['a redirect that is followed', 307, { location: '/v2' }],
    ['a redirect that is not', 307, { location: 'https://evil.example' }],
    ['a refusal with nobody to ask', 401, {}],
  ])('is let go: %s', async (_what, status, headers) => {
    const { seen, response } = held(status, headers);
    await watch(requester([response]).requester.send({ method: 'POST', headers: {} })).end;
    expect(seen.cancelled).toBe(true);
  });

  it.each([true, false])('is let go where a provider was asked, and answered %p', async (renewed) => {
    const { seen, response } = held(401);
    const { requester: one } = requester([response], {
      authProvider: { token: () => undefined, onUnauthorized: () => renewed },
    });
    await watch(one.send({ method: 'POST', headers: {} })).end;
    expect([seen.cancelled, one.renewed]).toEqual([true, renewed ? 1 : 0]);
  });
});

describe('the caller’s headers', () => {
  const bearers = [
    ['an object', { 'X-Tenant': 'a' }],
    ['a function', () => ({ 'X-Tenant': 'a' })],
    ['a function with a Promise', () => Promise.resolve({ 'X-Tenant': 'a' })],
    ['a function with an Observable', () => of({ 'X-Tenant': 'stale' }, { 'X-Tenant': 'a' })],
    ['an Observable', new BehaviorSubject({ 'X-Tenant': 'a' })],
    ['a Headers', new Headers({ 'X-Tenant': 'a' })],
    ['a function with a Headers', () => new Headers({ 'X-Tenant': 'a' })],
    ['an Observable of a Headers', of(new Headers({ 'X-Tenant': 'a' }))],
  ] as const;

  it.each(bearers)('go with every request: %s', async (_what, headers) => {
    const { calls, send } = requester([], { headers });
    await send({ accept: 'b' });
    expect(headersOf(calls)).toEqual([{ 'x-tenant': 'a', accept: 'b' }]);
  });

  it('are asked for anew for each', async () => {
    let count = 0;
    const tenant$ = new BehaviorSubject({ tenant: '1' });
    const asked = requester([], { headers: () => ({ count: String((count += 1)) }) });
    const observed = requester([], { headers: tenant$ });
    await asked.send();
    await asked.send();
    await observed.send();
    tenant$.next({ tenant: '2' });
    await observed.send();
    expect(headersOf(asked.calls)).toEqual([{ count: '1' }, { count: '2' }]);
    expect(headersOf(observed.calls)).toEqual([{ tenant: '1' }, { tenant: '2' }]);
  });

  it('are awaited, and given up with the request', () => {
    const { calls, requester: one } = requester([], { headers: NEVER });
    const seen = watch(one.send({ method: 'POST', headers: {} }));
    seen.subscription.unsubscribe();
    expect(calls).toEqual([]);
  });

  it.each([[EMPTY], [() => EMPTY]])('may turn out to be none: %#', async (headers) => {
    const { calls, send } = requester([], { headers });
    await send();
    expect(headersOf(calls)).toEqual([{}]);
  });

  it('never take the place of ours, however they are written, nor go out beside them', async () => {
    const { calls, send } = requester([], { headers: { 'Content-Type': 'text/plain', ACCEPT: '*/*' } });
    await send({ 'content-type': 'application/json', accept: 'application/json' });
    expect(headersOf(calls)).toEqual([{ 'content-type': 'application/json', accept: 'application/json' }]);
  });

  it.each([
    ['a value that is no text', { a: 1 }],
    ['a line break', { a: 'b\r\nc: d' }],
    ['a name that is none', { 'a b': 'c' }],
    ['no object', 'a: b'],
    ['null', null],
    ['a Map', new Map([['a', 'b']])],
    ['pairs', [['a', 'b']]],
  ])('are refused where they cannot be sent: %s', async (_what, headers) => {
    const { calls, send } = requester([], { headers: () => headers as never });
    expect(await rejection(send())).toMatchObject({ name: 'OptionError', option: 'headers' });
    expect(calls).toEqual([]);
  });

  it.each([
    [
      'throw',
      () => {
        throw new Error('no vault');
      },
    ],
    ['reject', () => Promise.reject(new Error('no vault'))],
    ['error', throwError(() => new Error('no vault'))],
  ])('that %s are a TransportError with the reason, and nothing is sent', async (_how, headers) => {
    const { calls, send } = requester([], { headers });
    const error = await rejection(send());
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ cause: new Error('no vault'), message: 'headers failed: no vault' });
    expect(calls).toEqual([]);
  });

  it('may raise an error of this library’s, which stays what it is', async () => {
    const own = new OptionError('headers', 'mine');
    const { send } = requester([], { headers: throwError(() => own) });
    expect(await rejection(send())).toBe(own);
  });
});

describe('a redirect', () => {
  it('within the origin is followed with the same method, fields and body', async () => {
    const { calls, send } = requester([redirect('/v2'), redirect('v3?a=b')], { headers: { cookie: 'c' } });
    expect((await send({ 'mcp-method': 'ping' })).status).toBe(200);
    expect(calls.map(({ url }) => url)).toEqual([
      'https://mcp.example/mcp',
      'https://mcp.example/v2',
      'https://mcp.example/v3?a=b',
    ]);
    expect(calls[2]).toMatchObject({ method: 'POST', body: '{}', headers: { cookie: 'c', 'mcp-method': 'ping' } });
  });

  it('to another origin is an HttpError, and nothing goes there', async () => {
    const { calls, send } = requester([redirect('https://evil.example/mcp')], { headers: { cookie: 'c' } });
    expect(await rejection(send())).toMatchObject({
      name: 'HttpError',
      status: 307,
      url: 'https://mcp.example/mcp',
      body: '',
    });
    expect(calls).toHaveLength(1);
  });

  it('is an HttpError where none is to be followed', async () => {
    const { send } = requester([redirect('/v2')], { redirects: 'error' });
    expect(await rejection(send())).toBeInstanceOf(HttpError);
  });

  it('in a circle comes to an end', async () => {
    const { calls, send } = requester(Array.from({ length: 20 }, () => redirect('/mcp')));
    expect(await rejection(send())).toMatchObject({
      body: '',
      message: expect.stringMatching(/: too many redirects$/),
    });
    expect(calls).toHaveLength(6);
  });
});

describe('authorization', () => {
  const provider = (
    tokens: readonly (string | undefined)[],
    onUnauthorized: AuthProvider['onUnauthorized'] = () => true,
  ) => {
    const asked: unknown[] = [];
    const challenges: AuthChallenge[] = [];
    const authProvider: AuthProvider = {
      token: (context) => {
        asked.push(context);
        return tokens[asked.length - 1];
      },
      onUnauthorized: (challenge) => {
        challenges.push(challenge);
        return onUnauthorized(challenge);
      },
    };
    return { authProvider, asked, challenges };
  };

  it.each([
    ['secret', 'Bearer secret'],
    ['Basic dXNlcg==', 'Basic dXNlcg=='],
    ['DPoP abc', 'DPoP abc'],
    ['a=b c', 'Bearer a=b c'],
  ])('is a bearer token, unless %j names its scheme', async (token, authorization) => {
    const { authProvider, asked } = provider([token]);
    const { calls, send } = requester([], { authProvider });
    await send();
    expect(headersOf(calls)).toEqual([{ authorization }]);
    expect(asked).toEqual([{ url: 'https://mcp.example/mcp', target: 'https://mcp.example/mcp', method: 'POST' }]);
  });

  it.each([undefined, null, ''])('is none where the provider answers %p', async (token) => {
    const { authProvider } = provider([token as undefined]);
    const { calls, send } = requester([], { authProvider });
    await send();
    expect(headersOf(calls)).toEqual([{}]);
  });

  it.each([[{ access_token: 'secret' }], [5], [true]])(
    'is refused where the provider answers with anything else, without being repeated: %j',
    async (token) => {
      const { authProvider } = provider([token as never]);
      const { calls, send } = requester([], { authProvider });
      const error = await rejection(send());
      expect(error).toMatchObject({ name: 'OptionError', option: 'authProvider' });
      expect(String(error)).toMatch(/token.*string/);
      expect(String(error)).not.toContain('secret');
      expect(calls).toEqual([]);
    },
  );

  it('takes the place of a header of the caller’s, however that is written', async () => {
    const { authProvider } = provider(['fresh', undefined]);
    const { calls, send } = requester([], { authProvider, headers: { Authorization: 'Bearer stale' } });
    await send();
    await send();
    expect(headersOf(calls)).toEqual([{ authorization: 'Bearer fresh' }, { authorization: 'Bearer stale' }]);
  });

  it.each([
    ['a Promise', () => Promise.resolve('a')],
    ['an Observable', () => of('stale', 'a')],
  ])('may be given later: %s', async (_what, token) => {
    const { calls, send } = requester([], { authProvider: { token, onUnauthorized: () => false } });
    await send();
    expect(headersOf(calls)).toEqual([{ authorization: 'Bearer a' }]);
  });

  it('that cannot be sent is refused without being repeated', async () => {
    const { authProvider } = provider(['sec\nret']);
    const error = await rejection(requester([], { authProvider }).send());
    expect(error).toMatchObject({ name: 'OptionError', option: 'authProvider' });
    expect(String(error)).toContain('"authorization" has characters');
    expect(String(error)).not.toContain('ret');
  });

  it.each([
    ['abcd', 'Bearer realm="abcd", error="abc"', 'Bearer realm="[token]", error="abc"'],
    ['DPoP abcd', 'DPoP realm="abcdabcd"', 'DPoP realm="[token][token]"'],
    ['abc', 'Bearer realm="abc"', 'Bearer realm="abc"'],
    ['abcd', undefined, undefined],
  ])('%j is taken out of the challenge %j, unless it is too short to be a secret', async (token, challenge, shown) => {
    const { send } = requester([refusal(401, challenge)], {
      authProvider: { token: () => token, onUnauthorized: () => false },
    });
    const error = await rejection(send());
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect((error as UnauthorizedError).challenge).toBe(shown);
  });

  it('is none, and needs no proof, where the provider answers with nothing at all', async () => {
    const proved: unknown[] = [];
    for (const token of [() => EMPTY, () => '', () => undefined]) {
      const proof = (context: unknown) => {
        proved.push(context);
        return {};
      };
      const { calls, send } = requester([], { authProvider: { token, proof, onUnauthorized: () => false } });
      await send();
      expect(headersOf(calls)).toEqual([{}]);
    }
    expect(proved).toEqual([]);
  });

  it('that is no text is refused before a proof of it is asked for', async () => {
    const proved: unknown[] = [];
    const proof = (context: unknown) => {
      proved.push(context);
      return {};
    };
    const { send } = requester([], { authProvider: { token: () => 5 as never, proof, onUnauthorized: () => false } });
    expect(await rejection(send())).toMatchObject({ name: 'OptionError', option: 'authProvider' });
    expect(proved).toEqual([]);
  });

  it.each([
    ['nothing', () => undefined],
    ['an empty Observable', () => EMPTY],
  ])('goes out alone where its proof is %s', async (_what, proof) => {
    const { calls, send } = requester([], { authProvider: { token: () => 'a', proof, onUnauthorized: () => false } });
    await send();
    expect(headersOf(calls)).toEqual([{ authorization: 'Bearer a' }]);
  });

  it('is asked for three times for all requests of a call together, and for another call anew', async () => {
    let count = 0;
    const challenges: AuthChallenge[] = [];
    const authProvider: AuthProvider = {
      token: () => String(count),
      onUnauthorized: (challenge) => {
        challenges.push(challenge);
        count += 1;
        return true;
      },
    };
    const answers = [0, 1, 2].flatMap(() => [refusal(), new Response('fine')]);
    const { requester: one } = requester([...answers, refusal(), refusal()], { authProvider });
    const draft = { method: 'POST', headers: {} } as const;
    const call = {};
    for (let n = 0; n < 3; n += 1) expect(await watch(one.send(draft, 'call', call)).end).toBeUndefined();
    expect(await watch(one.send(draft, 'call', call)).end).toBeInstanceOf(UnauthorizedError);
    expect(challenges).toHaveLength(3);
    expect(await watch(one.send(draft, 'call', {})).end).toBeUndefined();
    expect([challenges.length, one.renewed]).toEqual([4, 4]);
  });

  it('is asked for three times for one request, also where only its proof is another each time', async () => {
    let count = 0;
    const challenges: AuthChallenge[] = [];
    const authProvider: AuthProvider = {
      token: () => 'DPoP same',
      proof: () => ({ dpop: String((count += 1)) }),
      onUnauthorized: (challenge) => {
        challenges.push(challenge);
        return true;
      },
    };
    const { calls, send } = requester(
      Array.from({ length: 9 }, () => refusal()),
      { authProvider },
    );
    expect(await rejection(send())).toBeInstanceOf(UnauthorizedError);
    expect([calls.length, challenges.length]).toEqual([4, 3]);
  });

  it('is not counted for a call where only its proof was another', async () => {
    let count = 0;
    const authProvider: AuthProvider = {
      token: () => 'DPoP same',
      proof: () => ({ dpop: String((count += 1)) }),
      onUnauthorized: () => true,
    };
    const answers = [0, 1, 2, 3, 4].flatMap(() => [refusal(), new Response('fine')]);
    const { calls, requester: one } = requester(answers, { authProvider });
    const call = {};
    for (let n = 0; n < 5; n += 1)
      expect(await watch(one.send({ method: 'POST', headers: {} }, 'call', call)).end).toBeUndefined();
    expect(calls).toHaveLength(10);
  });

  it('that is wanted and not provided for is an UnauthorizedError with the challenge', async () => {
    const { calls, send } = requester([refusal(401, 'Bearer realm="mcp"')]);
    const error = await rejection(send());
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect(error).toMatchObject({
      challenge: 'Bearer realm="mcp"',
      url: 'https://mcp.example/mcp',
      message: 'https://mcp.example/mcp wants authorization: Bearer realm="mcp"',
    });
    expect(calls).toHaveLength(1);
  });

  it('that is wanted behind a redirect is wanted by who sits there, and said without a query', async () => {
    const { send } = requester([redirect('/v2?key=secret'), refusal()]);
    expect(await rejection(send())).toMatchObject({ name: 'UnauthorizedError', url: 'https://mcp.example/v2' });
  });

  it('that was refused is asked for again, and the request sent once more', async () => {
    const { authProvider, challenges } = provider(['old', 'new']);
    const { calls, send } = requester([refusal(401, 'Bearer error="invalid_token"')], { authProvider });
    expect((await send()).status).toBe(200);
    expect(headersOf(calls)).toEqual([{ authorization: 'Bearer old' }, { authorization: 'Bearer new' }]);
    expect(challenges).toEqual([
      {
        url: 'https://mcp.example/mcp',
        target: 'https://mcp.example/mcp',
        method: 'POST',
        status: 401,
        challenge: 'Bearer error="invalid_token"',
        token: 'old',
      },
    ]);
  });

  it.each([
    ['a Promise', () => Promise.resolve(true)],
    ['an Observable', () => of(false, true)],
  ])('may be renewed later: %s', async (_what, onUnauthorized) => {
    const { authProvider } = provider(['old', 'new'], onUnauthorized);
    const { calls, send } = requester([refusal()], { authProvider });
    await send();
    expect(calls).toHaveLength(2);
  });

  it.each([
    ['declines', () => false],
    ['says nothing', () => EMPTY],
  ])('that the provider %s to renew is an UnauthorizedError', async (_what, onUnauthorized) => {
    const { authProvider } = provider(['old'], onUnauthorized);
    const { calls, send } = requester([refusal(401, 'Bearer')], { authProvider });
    expect(await rejection(send())).toMatchObject({ name: 'UnauthorizedError', challenge: 'Bearer' });
    expect(calls).toHaveLength(1);
  });

  it('is asked of no provider that must not ask anybody, where nobody waits for the request', async () => {
    const { authProvider, challenges } = provider(['old', 'new']);
    const { requester: one } = requester([refusal(401, 'Bearer')], { authProvider });
    const waits = watch(one.waits$!);
    expect(await rejection(firstValueFrom(one.send({ method: 'POST', headers: {} }, 'background')))).toMatchObject({
      name: 'UnauthorizedError',
    });
    expect([challenges, waits.values, one.renewed]).toEqual([[], [false], 0]);
  });

  it.each([
    ['there is', true, 2],
    ['there is not', false, 1],
  ])('is had without a person for what nobody waits for, where %s a way', async (_what, renewed, sent) => {
    const { authProvider, challenges } = provider(['old', 'new']);
    const about: AuthChallenge[] = [];
    const renew = (challenge: AuthChallenge): boolean => {
      about.push(challenge);
      return renewed;
    };
    const { calls, requester: one } = requester([refusal(401, 'Bearer')], { authProvider: { ...authProvider, renew } });
    const waits = watch(one.waits$!);
    const ended = await watch(one.send({ method: 'POST', headers: {} }, 'background')).end;
    if (!renewed) expect(ended).toMatchObject({ name: 'UnauthorizedError' });
    expect([calls.length, challenges, waits.values]).toEqual([sent, [], [false]]);
    expect(about).toMatchObject([{ status: 401, challenge: 'Bearer', token: 'old' }]);
  });

  it('is asked for a call though what nobody waits for was refused alike at the same time', async () => {
    const { authProvider, challenges } = provider(['old', 'old', 'new']);
    const renewing = new Subject<boolean>();
    const { requester: one } = requester([refusal(401, 'Bearer'), refusal(401, 'Bearer')], {
      authProvider: { ...authProvider, renew: () => renewing },
    });
    const quiet = watch(one.send({ method: 'POST', headers: {} }, 'background'));
    const call = watch(one.send({ method: 'POST', headers: {} }));
    await call.end;
    expect([call.values.length, challenges.length, quiet.values.length]).toEqual([1, 1, 0]);
    renewing.next(false);
    renewing.complete();
    expect(await quiet.end).toMatchObject({ name: 'UnauthorizedError' });
  });

  it('that is refused again without having changed is given up', async () => {
    const { authProvider, challenges } = provider(['same', 'same']);
    const { calls, send } = requester([refusal(), refusal(401, 'second')], { authProvider });
    expect(await rejection(send())).toMatchObject({ name: 'UnauthorizedError', challenge: 'second' });
    expect([calls.length, challenges.length]).toEqual([2, 1]);
  });

  it('that is another each time is asked for three times, and then given up', async () => {
    const { authProvider, challenges } = provider(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    const refusals = Array.from({ length: 9 }, (_, index) => refusal(index === 1 ? 403 : 401, String(index)));
    const { calls, send } = requester(refusals, { authProvider });
    expect(await rejection(send())).toMatchObject({ name: 'UnauthorizedError', challenge: '3' });
    expect([calls.length, challenges.map(({ challenge }) => challenge)]).toEqual([4, ['0', '1', '2']]);
  });

  it('may need a proof, which is made for each request anew and asked for beside a token alone', async () => {
    const proved: unknown[] = [];
    const tokens = ['DPoP a', 'DPoP a', undefined];
    const authProvider: AuthProvider = {
      token: () => tokens.shift(),
      proof: (context) => {
        proved.push(context);
        return of({ DPoP: `proof ${String(proved.length)}` });
      },
      onUnauthorized: () => true,
    };
    const { calls, requester: one } = requester([refusal(401, 'DPoP error="use_dpop_nonce"')], { authProvider });
    const draft = { method: 'POST', url: 'https://mcp.example/messages', headers: {} } as const;
    await firstValueFrom(one.send(draft));
    await firstValueFrom(one.send(draft));
    expect(headersOf(calls)).toEqual([
      { authorization: 'DPoP a', dpop: 'proof 1' },
      { authorization: 'DPoP a', dpop: 'proof 2' },
      {},
    ]);
    const context = { url: 'https://mcp.example/mcp', target: 'https://mcp.example/messages', method: 'POST' };
    expect(proved).toEqual([
      { ...context, token: 'DPoP a' },
      { ...context, token: 'DPoP a' },
    ]);
  });

  it.each([
    ['no fields', 'proof'],
    ['a line break', { dpop: 'a\r\nb' }],
  ])('whose proof cannot be sent is an OptionError: %s', async (_what, fields) => {
    const authProvider = { token: () => 'a', proof: () => fields as never, onUnauthorized: () => true };
    const { calls, send } = requester([], { authProvider });
    expect(await rejection(send())).toBeInstanceOf(OptionError);
    expect(calls).toEqual([]);
  });

  it('hears of every answer, the refused ones included, before it is asked about any; what it throws then is nobody’s', async () => {
    const heard: unknown[] = [];
    const authProvider: AuthProvider = {
      token: () => 'a',
      onAnswer: ({ status, token, header }) => {
        heard.push([status, token, header('DPoP-Nonce')]);
        throw new Error('deaf');
      },
      onUnauthorized: ({ status }) => {
        heard.push(status);
        return false;
      },
    };
    const nonce = new Response(null, { status: 403, headers: { 'dpop-nonce': 'n' } });
    const { send } = requester([nonce], { authProvider });
    await send();
    await send();
    expect(heard).toEqual([[403, 'a', 'n'], 403, [200, 'a', undefined]]);
  });

  it('is waited for: that is told, and told when it is over, whichever way', async () => {
    const outcomes = [() => of(true), () => Promise.reject(new Error('no vault')), () => NEVER];
    const { authProvider } = provider([], () => outcomes.shift()!());
    const { requester: one } = requester([refusal(), new Response(), refusal(), refusal()], { authProvider });
    const waits = watch(one.waits$!);
    const draft = { method: 'POST', headers: {} } as const;
    await watch(one.send(draft)).end;
    expect(waits.values).toEqual([false, true, false]);
    await watch(one.send(draft)).end;
    expect(waits.values).toEqual([false, true, false, true, false]);
    const given = watch(one.send(draft));
    await until(() => waits.values.length === 6);
    given.subscription.unsubscribe();
    expect(waits.values.slice(5)).toEqual([true, false]);
    expect(requester().requester.waits$).toBeUndefined();
  });

  it('that never comes is given up after eleven minutes', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      const { authProvider } = provider([], () => NEVER);
      const { requester: one } = requester([refusal()], { authProvider });
      const seen = watch(one.send({ method: 'POST', headers: {} }));
      await jest.advanceTimersByTimeAsync(659_999);
      expect(seen.error).toBeUndefined();
      await jest.advanceTimersByTimeAsync(1);
      expect(seen.error).toBeInstanceOf(UnauthorizedError);
    } finally {
      jest.useRealTimers();
    }
  });

  it.each([
    [700_000, 700_000],
    [1_000, 660_000],
  ])('is waited for as long as its provider wants, where that is longer: %d ms', async (waitMs, waited) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      const { authProvider } = provider([], () => NEVER);
      const { requester: one } = requester([refusal()], { authProvider: { ...authProvider, waitMs } });
      const seen = watch(one.send({ method: 'POST', headers: {} }));
      await jest.advanceTimersByTimeAsync(waited - 1);
      expect(seen.error).toBeUndefined();
      await jest.advanceTimersByTimeAsync(1);
      expect(seen.error).toBeInstanceOf(UnauthorizedError);
    } finally {
      jest.useRealTimers();
    }
  });

  it.each<[string, Partial<HttpParameters>, number]>([
    ['headers', { headers: () => NEVER }, 660_000],
    ['authProvider.token', { authProvider: { token: () => NEVER, onUnauthorized: () => false } }, 660_000],
    [
      'authProvider.token',
      { authProvider: { token: () => NEVER, onUnauthorized: () => false, waitMs: 700_000 } },
      700_000,
    ],
    [
      'authProvider.proof',
      { authProvider: { token: () => 't', proof: () => NEVER, onUnauthorized: () => false } },
      660_000,
    ],
  ])(
    'is no longer waited for where nothing comes of %s, so that nobody waits for ever',
    async (culprit, given, waited) => {
      jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
      try {
        const { calls, requester: one } = requester([], given);
        const seen = watch(one.send({ method: 'POST', headers: {} }));
        await jest.advanceTimersByTimeAsync(waited - 1);
        expect(seen.error).toBeUndefined();
        await jest.advanceTimersByTimeAsync(1);
        expect(seen.error).toMatchObject({ name: 'TransportError', message: expect.stringContaining(culprit) });
        expect(String(seen.error)).toContain(`it did not answer within ${waited} ms`);
        expect(calls).toEqual([]);
      } finally {
        jest.useRealTimers();
      }
    },
  );

  it('is waited for once by all requests that wait at the same time', async () => {
    const answers = [new Subject<boolean>(), new Subject<boolean>()];
    const { authProvider, challenges } = provider(['a', 'b'], () => answers[challenges.length - 1]!);
    const { requester: one } = requester([refusal(), refusal()], { authProvider });
    const waits = watch(one.waits$!);
    const sent = [1, 2].map(() => watch(one.send({ method: 'POST', headers: {} })));
    await until(() => challenges.length === 2);
    for (const answer$ of answers) {
      expect(waits.values).toEqual([false, true]);
      answer$.next(true);
      answer$.complete();
    }
    await Promise.all(sent.map(({ end }) => end));
    expect(waits.values).toEqual([false, true, false]);
  });

  it('is not asked for where the request is given up by who hears that it is waited for', async () => {
    const { authProvider, challenges } = provider(['a']);
    const { seen, response } = held(401);
    const { requester: one } = requester([response], { authProvider });
    const sent = watch(one.send({ method: 'POST', headers: {} }));
    one.waits$!.subscribe((waits) => {
      if (waits) sent.subscription.unsubscribe();
    });
    await until(() => seen.cancelled);
    expect([challenges, watch(one.waits$!).values]).toEqual([[], [false]]);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('no vault'))],
    ['is not waited for any longer', () => NEVER],
  ])('that is refused lets go of the refusal where the provider %s', async (what, onUnauthorized) => {
    let cancelled = false;
    const body = new ReadableStream({
      cancel: () => {
        cancelled = true;
      },
    });
    const { authProvider, challenges } = provider(['a'], onUnauthorized);
    const { requester: one } = requester([new Response(body, { status: 401 })], { authProvider });
    const asked = watch(one.send({ method: 'POST', headers: {} }));
    if (what === 'fails') await asked.end;
    else {
      await until(() => challenges.length > 0);
      asked.subscription.unsubscribe();
    }
    expect(cancelled).toBe(true);
  });

  it('is not asked for where that is not worth it', async () => {
    const { authProvider, challenges } = provider(['a']);
    const { requester: one } = requester([refusal()], { authProvider });
    const error = await watch(one.send({ method: 'DELETE', headers: {} }, 'goodbye')).end;
    expect([error, challenges]).toEqual([expect.any(UnauthorizedError), []]);
  });

  it('that does not reach far enough is told to the provider, too', async () => {
    const { authProvider, challenges } = provider(['narrow', 'wide']);
    const { send } = requester([refusal(403, 'Bearer error="insufficient_scope"')], { authProvider });
    expect((await send()).status).toBe(200);
    expect(challenges[0]).toMatchObject({ status: 403, challenge: 'Bearer error="insufficient_scope"' });
  });

  it('has no part in a 403 that the provider can do nothing about: the response is handed on with its body', async () => {
    const { authProvider } = provider(['a'], () => false);
    for (const parameters of [{ authProvider }, {}]) {
      const { send } = requester([refusal(403)], parameters);
      const response = await send();
      expect(response.status).toBe(403);
      expect(await firstValueFrom(httpErrorOf(response, 0))).toMatchObject({ status: 403, body: 'refused' });
    }
  });

  it.each([
    [
      'token',
      {
        token: () => {
          throw new Error('no vault');
        },
        onUnauthorized: () => true,
      },
    ],
    ['onUnauthorized', { token: () => 'a', onUnauthorized: () => Promise.reject(new Error('no vault')) }],
    ['proof', { token: () => 'a', proof: () => Promise.reject(new Error('no vault')), onUnauthorized: () => true }],
  ])('whose provider fails in %s is a TransportError that says so, with the reason', async (what, authProvider) => {
    const { send } = requester([refusal()], { authProvider });
    const error = await rejection(send());
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ cause: new Error('no vault'), message: `authProvider.${what} failed: no vault` });
  });

  it('whose provider fails without a person is a TransportError that says so, or nothing where it says nothing', async () => {
    const { authProvider } = provider([]);
    const background = (renew: AuthProvider['renew'] & object) =>
      watch(
        requester([refusal(401, 'Bearer')], { authProvider: { ...authProvider, renew } }).requester.send(
          { method: 'POST', headers: {} },
          'background',
        ),
      ).end;
    expect(await background(() => Promise.reject(new Error('no vault')))).toMatchObject({
      name: 'TransportError',
      message: 'authProvider.renew failed: no vault',
    });
    expect(await background(() => EMPTY)).toBeInstanceOf(UnauthorizedError);
    expect(await background(() => undefined as never)).toBeInstanceOf(UnauthorizedError);
  });

  it('is told with each answer what was asked of whom', async () => {
    const heard: unknown[] = [];
    const authProvider: AuthProvider = {
      token: () => 'a',
      onAnswer: ({ header: _, ...answer }) => heard.push(answer),
      onUnauthorized: () => false,
    };
    const { requester: one } = requester([], { authProvider });
    await firstValueFrom(one.send({ method: 'DELETE', url: 'https://mcp.example/messages', headers: {} }));
    const context = { url: 'https://mcp.example/mcp', target: 'https://mcp.example/messages', method: 'DELETE' };
    expect(heard).toEqual([{ ...context, status: 200, token: 'a' }]);
  });
});
