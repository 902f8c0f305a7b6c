import { describe, expect, it } from '@jest/globals';
import { NEVER, Observable, of, Subject, switchMap, throwError, timer } from 'rxjs';
import {
  EndedUnanswered,
  HttpError,
  InvalidMessageError,
  NetworkError,
  ProtocolError,
  UnauthorizedError,
} from '../../src/errors/index.js';
import type { Inbound, JsonRpcRequest, Outbound } from '../../src/jsonrpc/index.js';
import { EraCache, type EraVerdict, type NegotiationTerms } from '../../src/protocol/index.js';
import {
  at,
  discovered,
  initialized,
  negotiate,
  type Negotiation,
  negotiation,
  type Server,
  virtually,
} from '../support/negotiation.js';

/** What becomes of one request: a message, or the failure of its exchange; silence where it neither emits nor errors. */
type Answer = Observable<Inbound>;

const ok =
  (result: object) =>
  ({ id }: JsonRpcRequest): Answer =>
    of({ jsonrpc: '2.0', id, result });

/** A JSON-RPC error, under an HTTP status that is a refusal, or under 200. */
const error =
  (code: number, status = 200, data?: unknown) =>
  ({ id }: JsonRpcRequest): Answer => {
    const body = { code, message: `error ${code}`, data };
    if (status === 200) return of({ jsonrpc: '2.0', id, error: body });
    const cause = new HttpError(status, '', JSON.stringify(body));
    return of({
      invalid: `HTTP ${status}`,
      excerpt: '',
      id,
      error: new ProtocolError(code, body.message, data, cause),
    });
  };

const fail = (reason: unknown) => (): Answer => throwError(() => reason);
const status = (code: number, retryAfterMs?: number) => fail(new HttpError(code, '', 'a page', retryAfterMs));
const html = fail(new InvalidMessageError('server/discover', 1, 'a body of type text/html'));
const ended = fail(new NetworkError('https://mcp.example/mcp', new EndedUnanswered(), true));
const network = fail(new NetworkError('https://mcp.example/mcp', new Error('refused'), false));
const silence = (): Answer => NEVER;

type Reply = (request: JsonRpcRequest) => Answer;

/** A server behind one form of HTTP. */
const server =
  (replies: { readonly discover?: Reply; readonly initialize?: Reply }, form: 'modern' | 'legacy' = 'modern') =>
  (): Server => {
    const inbox = new Subject<Inbound>();
    const sent$ = new Subject<Outbound>();
    const { discover = status(404), initialize = status(404) } = replies;
    let alive = true;
    return {
      cancelBy: form === 'modern' ? 'hang-up' : 'notice',
      mirrorsHeaders: form === 'modern',
      inbound$: inbox,
      sent$,
      get alive() {
        return alive;
      },
      send: (message) =>
        new Observable((subscriber) => {
          sent$.next(message);
          if (!('method' in message && 'id' in message)) {
            subscriber.complete();
            return undefined;
          }
          const reply = message.method === 'initialize' ? initialize : discover;
          return reply(message).subscribe({
            next: (answer) => inbox.next(answer),
            error: (reason: unknown) => subscriber.error(reason),
            complete: () => subscriber.complete(),
          });
        }),
      close: () => {
        alive = false;
        inbox.complete();
        return Promise.resolve();
      },
    };
  };

const modern = (discover: Reply) => server({ discover });
const legacy = (initialize: Reply) => server({ initialize }, 'legacy');
/** A form that cannot even be opened. */
const notThere = (reason: unknown) => (): Server => {
  throw reason;
};

const KEY = 'https://mcp.example/mcp';

/** Negotiates over HTTP, each life with the next server. */
const over = (servers: readonly (() => Server)[], terms: Partial<NegotiationTerms> = {}): Negotiation =>
  negotiate(servers, { forms: true, key: KEY, ...terms });

const remembered = (
  ...[verdict]: readonly EraVerdict[]
): { readonly cache: EraCache; readonly store: Map<string, EraVerdict> } => {
  const store = new Map<string, EraVerdict>(verdict === undefined ? [] : [[KEY, verdict]]);
  return { cache: new EraCache(store), store };
};

/** Which form each life had, and what it ended with. */
const outcome = ({ forms, ready, errors }: Negotiation): unknown => ({
  forms,
  era: ready.at(-1)?.agreement.server.era,
  error: errors.at(-1),
});

const found = (era: 'modern' | 'legacy', ...forms: readonly string[]) => ({ forms, era, error: undefined });
const raised = (reason: unknown, ...forms: readonly string[]) => ({
  forms,
  era: undefined,
  error: expect.objectContaining(reason as object),
});

describe('a server over HTTP', () => {
  it('that answers the probe is modern, in one life', () => {
    const one = over([modern(ok(discovered()))]);
    expect(outcome(one)).toEqual(found('modern', 'modern'));
    expect(one.trace).toEqual(['0 #1 server/discover 2026-07-28', '0 #1 ready modern 2026-07-28']);
  });

  it.each([-32_020, -32_021])('that answers %i with any 4xx is modern, and has declared nothing', (code) => {
    for (const refusal of [400, 404, 422]) {
      const one = over([modern(error(code, refusal))]);
      expect(outcome(one)).toEqual(found('modern', 'modern'));
      expect(one.ready[0]?.agreement.declared).toBe(false);
    }
  });

  it('that refuses the version and names one of ours is asked once more, even at the one it refused', () => {
    let asked = 0;
    const reply: Reply = (request) => {
      asked += 1;
      return (asked === 1 ? error(-32_022, 400, { supported: ['2026-07-28'] }) : ok(discovered()))(request);
    };
    expect(outcome(over([modern(reply)]))).toEqual(found('modern', 'modern'));
    expect(asked).toBe(2);
  });

  it('that names no version of ours is not spoken to', () => {
    const one = over([modern(error(-32_022, 400, { supported: ['2027-01-01'] }))]);
    expect(outcome(one)).toEqual(raised({ name: 'UnsupportedVersionError', supported: ['2027-01-01'] }, 'modern'));
  });

  describe('is asked the old way, on a wire of that form, where the probe is answered by', () => {
    it.each<readonly [string, Reply]>([
      ['400', status(400)],
      ['404', status(404)],
      ['405', status(405)],
      ['406', status(406)],
      ['415', status(415)],
      ['422', status(422)],
      ['500', status(500)],
      ['a web page', html],
      ['a stream that ends without an answer', ended],
      ['an error with 200', error(-32_601)],
      ['an error without a meaning, with 200', error(0)],
      ['an error with 400', error(-32_000, 400)],
      ['an error with 404', error(-32_600, 404)],
      ['an error with 500', error(-32_603, 500)],
      ['a result that is none', ok({})],
      ['an empty list of versions', ok({ supportedVersions: [], capabilities: {} })],
      ['a list of legacy versions', ok(discovered(['2025-11-25']))],
      ['a refusal that names legacy versions', error(-32_022, 400, { supported: ['2025-06-18'] })],
    ])('%s', (_what, reply) => {
      const one = over([modern(reply), legacy(ok(initialized()))]);
      expect(outcome(one)).toEqual(found('legacy', 'modern', 'legacy'));
      expect(one.trace.slice(-3)).toEqual([
        '0 #2 initialize 2025-11-25',
        '0 #2 notifications/initialized',
        '0 #2 ready legacy 2025-11-25',
      ]);
      expect(one.trace).toContain('0 #1 closed');
    });
  });

  describe('is not there at the moment, which says nothing of it, where the probe is answered by', () => {
    it.each<readonly [string, Reply, object]>([
      ['401', fail(new UnauthorizedError('Bearer')), { name: 'UnauthorizedError' }],
      ['403', status(403), { name: 'HttpError', status: 403 }],
      ['403 with an error', error(-32_000, 403), { name: 'ProtocolError', code: -32_000 }],
      ['429', status(429), { name: 'HttpError', status: 429 }],
      ['429 with an error', error(-32_000, 429), { name: 'ProtocolError' }],
      ['502', status(502), { name: 'HttpError', status: 502 }],
      ['503', status(503), { name: 'HttpError', status: 503 }],
      ['503 with an error', error(-32_603, 503), { name: 'ProtocolError' }],
      ['504', status(504), { name: 'HttpError', status: 504 }],
      ['a redirect', status(307), { name: 'HttpError', status: 307 }],
      ['the network', network, { name: 'NetworkError' }],
    ])('%s', (_what, reply, reason) => {
      const { cache, store } = remembered();
      const one = over([modern(reply)], { cache });
      expect(outcome(one)).toEqual(raised(reason, 'modern'));
      expect([...store]).toEqual([]);
    });

    it('nothing: after four times the budget of the probe', () => {
      const one = over([modern(silence)], { probeTimeoutMs: 5_000 });
      expect(outcome(one)).toEqual(
        raised({ name: 'TimeoutError', method: 'server/discover', timeoutMs: 20_000 }, 'modern'),
      );
      expect(one.trace.at(-1)).toMatch(/^20000 /);
    });
  });

  it('may take its time for the probe', () => {
    const late: Reply = (request) => timer(19_999).pipe(switchMap(() => ok(discovered())(request)));
    expect(outcome(over([modern(late)]))).toEqual(found('modern', 'modern'));
  });

  it('may take any time for initialize', () => {
    const late: Reply = (request) => timer(600_000).pipe(switchMap(() => ok(initialized())(request)));
    expect(outcome(over([modern(status(400)), legacy(late)]))).toEqual(found('legacy', 'modern', 'legacy'));
  });

  it('that knows neither the probe nor initialize as methods is modern all the same', () => {
    const unknown = error(-32_601, 404);
    const one = over([modern(unknown), legacy(unknown), modern(silence)]);
    expect(outcome(one)).toEqual(found('modern', 'modern', 'legacy', 'modern'));
    expect(one.ready[0]?.agreement).toMatchObject({
      declared: false,
      server: { protocolVersion: '2026-07-28', supportedVersions: [] },
    });
    expect(one.trace.filter((line) => line.includes('#3'))).toEqual(['0 #3 ready modern 2026-07-28']);
  });

  it.each<readonly [string, Reply]>([
    ['-32601 with a status that says more', error(-32_601, 400)],
    ['404 with another error', error(-32_000, 404)],
  ])('that answers the probe by %s, and not to initialize, is asked for its stream', (_what, refusal) => {
    const one = over([modern(refusal), legacy(status(404)), legacy(ok(initialized('2024-11-05')))]);
    expect(outcome(one)).toEqual(found('legacy', 'modern', 'legacy', 'sse'));
  });

  it('that does not know the probe, but initialize, is legacy', () => {
    const one = over([modern(error(-32_601, 404)), legacy(ok(initialized()))]);
    expect(outcome(one)).toEqual(found('legacy', 'modern', 'legacy'));
  });

  it('that answers initialize with a version nobody speaks is not spoken to', () => {
    const one = over([modern(status(400)), legacy(ok(initialized('2020-01-01')))]);
    expect(outcome(one)).toEqual(
      raised({ name: 'UnsupportedVersionError', supported: ['2020-01-01'] }, 'modern', 'legacy'),
    );
  });
});

describe('the stream of HTTP+SSE', () => {
  it.each([400, 404, 405, 406, 410, 422])('is tried last, where initialize is refused with %i', (refusal) => {
    const one = over([modern(status(404)), legacy(status(refusal)), legacy(ok(initialized('2024-11-05')))]);
    expect(outcome(one)).toEqual(found('legacy', 'modern', 'legacy', 'sse'));
  });

  it('is tried where initialize is refused with an error of the protocol, too', () => {
    const one = over([modern(status(404)), legacy(error(-32_000, 400)), legacy(ok(initialized('2024-11-05')))]);
    expect(outcome(one)).toEqual(found('legacy', 'modern', 'legacy', 'sse'));
  });

  it.each<readonly [string, Reply, object]>([
    ['401', fail(new UnauthorizedError('Bearer')), { name: 'UnauthorizedError' }],
    ['403', status(403), { status: 403 }],
    ['429', status(429), { status: 429 }],
    ['500', status(500), { status: 500 }],
    ['503', status(503), { status: 503 }],
    ['the network', network, { name: 'NetworkError' }],
    ['a web page', html, { name: 'InvalidMessageError' }],
    ['an error with 200', error(-32_600), { name: 'ProtocolError', code: -32_600 }],
  ])('is not tried where initialize is answered by %s', (_what, reply, reason) => {
    expect(outcome(over([modern(status(404)), legacy(reply)]))).toEqual(raised(reason, 'modern', 'legacy'));
  });

  it.each([
    new HttpError(405, '', ''),
    new HttpError(404, '', ''),
    new HttpError(500, '', ''),
    new HttpError(200, '', 'no event stream, but a body of type text/html'),
    new HttpError(299, '', ''),
  ])('that is not there either leaves the first refusal as the reason: %p', (reason) => {
    const one = over([modern(status(404)), legacy(status(405)), notThere(reason)]);
    expect(outcome(one)).toEqual(raised({ name: 'HttpError', status: 405 }, 'modern', 'legacy', 'sse'));
  });

  it('that is not there leaves the versions the server named as the reason, if it named any', () => {
    const refused = error(-32_022, 400, { supported: ['2025-06-18'] });
    const one = over([modern(refused), legacy(status(400)), notThere(new HttpError(405, '', ''))]);
    expect(outcome(one)).toEqual(
      raised({ name: 'UnsupportedVersionError', supported: ['2025-06-18'] }, 'modern', 'legacy', 'sse'),
    );
  });

  it.each([
    new NetworkError(KEY, new Error('refused'), false),
    new UnauthorizedError('Bearer'),
    new HttpError(503, '', ''),
    new HttpError(300, '', ''),
    new HttpError(199, '', ''),
    new InvalidMessageError('endpoint', undefined, 'of another origin'),
  ])('that cannot be had at the moment, or not be used, is raised as what it is: %p', (reason) => {
    const one = over([modern(status(404)), legacy(status(404)), notThere(reason)]);
    expect(outcome(one)).toEqual(raised(reason, 'modern', 'legacy', 'sse'));
  });
});

describe('a pinned era', () => {
  it('of modern servers asks nothing else', () => {
    expect(outcome(over([modern(ok(discovered()))], { era: 'modern' }))).toEqual(found('modern', 'modern'));
    expect(outcome(over([modern(status(405))], { era: 'modern' }))).toEqual(raised({ status: 405 }, 'modern'));
    expect(outcome(over([modern(ok({}))], { era: 'modern' }))).toEqual(
      raised({ name: 'UnsupportedVersionError' }, 'modern'),
    );
  });

  it('of legacy servers skips the probe, and finds either form', () => {
    const streamable = over([legacy(ok(initialized()))], { era: 'legacy' });
    expect(outcome(streamable)).toEqual(found('legacy', 'legacy'));
    const sse = over([legacy(status(405)), legacy(ok(initialized('2024-11-05')))], { era: 'legacy' });
    expect(outcome(sse)).toEqual(found('legacy', 'legacy', 'sse'));
  });

  it('is not remembered', () => {
    const { cache, store } = remembered();
    over([modern(ok(discovered()))], { era: 'modern', cache });
    over([legacy(ok(initialized()))], { era: 'legacy', cache });
    expect([...store]).toEqual([]);
  });
});

describe('the verdict', () => {
  it.each<readonly [EraVerdict, readonly (() => Server)[]]>([
    [{ era: 'modern' }, [modern(ok(discovered()))]],
    [{ era: 'modern' }, [modern(error(-32_601, 404)), legacy(error(-32_601, 404)), modern(silence)]],
    [{ era: 'legacy' }, [modern(status(400)), legacy(ok(initialized()))]],
    [{ era: 'legacy', form: 'sse' }, [modern(status(404)), legacy(status(404)), legacy(ok(initialized('2024-11-05')))]],
  ])('%j is remembered', (verdict, servers) => {
    const { cache, store } = remembered();
    over(servers, { cache });
    expect([...store]).toEqual([[KEY, verdict]]);
  });

  it('is remembered for nobody without a name', () => {
    const { cache, store } = remembered();
    over([modern(ok(discovered()))], { cache, key: undefined });
    expect([...store]).toEqual([]);
  });

  it.each<readonly [EraVerdict, string]>([
    [{ era: 'legacy' }, 'legacy'],
    [{ era: 'legacy', form: 'sse' }, 'sse'],
  ])('%j saves the probe: the form %s is opened at once', (verdict, form) => {
    const one = over([legacy(ok(initialized()))], remembered(verdict));
    expect(outcome(one)).toEqual(found('legacy', form));
  });

  it.each<readonly [string, EraVerdict, () => Server]>([
    ['a refusal', { era: 'legacy' }, legacy(status(400))],
    ['a web page', { era: 'legacy' }, legacy(html)],
    ['a refusal with an error', { era: 'legacy' }, legacy(error(-32_022, 400, { supported: ['2026-07-28'] }))],
    ['an error with 200', { era: 'legacy' }, legacy(error(-32_601))],
    ['a version nobody speaks', { era: 'legacy' }, legacy(ok(initialized('2026-07-28')))],
    ['no such stream', { era: 'legacy', form: 'sse' }, notThere(new HttpError(405, '', ''))],
    ['a page where the stream was', { era: 'legacy', form: 'sse' }, notThere(new HttpError(200, '', ''))],
  ])('that fails by %s is dropped, and the server probed again', (_what, verdict, first) => {
    const { cache, store } = remembered(verdict);
    const one = over([first, modern(ok(discovered()))], { cache });
    expect(outcome(one)).toEqual(found('modern', verdict.form ?? 'legacy', 'modern'));
    expect([...store]).toEqual([[KEY, { era: 'modern' }]]);
  });

  it('that fails stays dropped where the probe brings no other', () => {
    const { cache, store } = remembered({ era: 'legacy' });
    const one = over([legacy(status(400)), modern(network)], { cache });
    expect(outcome(one)).toMatchObject({ forms: ['legacy', 'modern'], era: undefined });
    expect([...store]).toEqual([]);
  });

  it.each<readonly [string, Reply]>([
    ['401', fail(new UnauthorizedError('Bearer'))],
    ['403', status(403)],
    ['503', status(503)],
    ['503 with an error', error(-32_603, 503)],
    ['the network', network],
  ])('that cannot be tried because of %s is kept', (_what, reply) => {
    const { cache, store } = remembered({ era: 'legacy' });
    const one = over([legacy(reply)], { cache });
    expect(outcome(one)).toMatchObject({ forms: ['legacy'], era: undefined });
    expect([...store]).toEqual([[KEY, { era: 'legacy' }]]);
  });
});

it('a server over HTTP is probed after a second where nobody says what is remembered of it', () => {
  const silent = new EraCache({ get: () => NEVER, set: () => NEVER, delete: () => NEVER });
  const one = over([modern(ok(discovered()))], { cache: silent });
  expect(one.trace).toEqual(['1000 #1 server/discover 2026-07-28', '1000 #1 ready modern 2026-07-28']);
});

describe('a server that has too much to do', () => {
  const RETRY = { attempts: 2, firstMs: 100, maxMs: 1_000 };

  it.each([429, 502, 503, 504])('and says so with %i is asked again, for it cannot do any harm', (code) => {
    const one = over([modern(status(code)), modern(ok(discovered()))], { retry: RETRY });
    expect(outcome(one)).toEqual(found('modern', 'modern', 'modern'));
  });

  it('is asked again when it wants to be, also to initialize, and with an error in the body', () => {
    const busy: Reply = ({ id }) => {
      const cause = new HttpError(503, '', '', 700);
      return of({ invalid: 'HTTP 503', excerpt: '', id, error: new ProtocolError(-32_000, 'busy', undefined, cause) });
    };
    const one = over([legacy(busy), legacy(ok(initialized()))], { era: 'legacy', retry: RETRY });
    expect(outcome(one)).toEqual(found('legacy', 'legacy', 'legacy'));
    expect(one.trace.at(-1)).toMatch(/^700 /);
  });

  it('is asked no more often than is allowed', () => {
    const one = over([status(503), status(503), status(503)].map(modern), { retry: RETRY });
    expect(outcome(one)).toEqual(raised({ status: 503 }, 'modern', 'modern', 'modern'));
  });

  it('is not asked again where it wants to be left alone for longer than we wait', () => {
    const one = over([modern(status(503, 1_001))], { retry: RETRY });
    expect(outcome(one)).toEqual(raised({ status: 503, retryAfterMs: 1_001 }, 'modern'));
    const other = over([modern(status(503, 1_000)), modern(ok(discovered()))], { retry: RETRY });
    expect(outcome(other)).toEqual(found('modern', 'modern', 'modern'));
  });

  it('is not asked again once nobody wants it any longer', () => {
    virtually(() => {
      const one = negotiation([modern(status(503)), modern(ok(discovered()))], { forms: true, retry: RETRY });
      const leave = one.open();
      at(10, leave);
      at(5_000, () => expect(one.forms).toEqual(['modern']));
    });
  });
});
