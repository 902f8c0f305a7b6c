import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  concat,
  config,
  EMPTY,
  firstValueFrom,
  NEVER,
  Observable,
  of,
  Subject,
  type Subscription,
  take,
  throwError,
  type Unsubscribable,
} from 'rxjs';
import {
  InvalidMessageError,
  MessageTooLargeError,
  OptionError,
  ProtocolError,
  ServerGoneError,
  TransportClosedError,
  TransportError,
} from '../../src/errors/index.js';
import type { Inbound, Outbound, RequestId } from '../../src/jsonrpc/index.js';
import {
  type CallSpec,
  Channels,
  type LogMessage,
  type Progress,
  type Warning,
  type WireFrame,
} from '../../src/session/index.js';
import { Session } from '../../src/session/session.js';
import { HandTransport } from '../support/hand-transport.js';
import { marbles } from '../support/marbles.js';

const spec = (more: Partial<CallSpec> = {}): CallSpec => ({ method: 'x-test/call', encode: () => undefined, ...more });

const opened = (wire = new HandTransport()) => {
  const warnings: Warning[] = [];
  const channels = new Channels({ onWarn: (warning) => warnings.push(warning) });
  const session = new Session(wire, channels);
  const say = (message: Inbound): void => {
    wire.inbox.next(message);
  };
  const answer = (id: RequestId, result: unknown = {}): void => {
    say({ jsonrpc: '2.0', id, result });
  };
  const notify = (method: string, params: Record<string, unknown>): void => {
    say({ jsonrpc: '2.0', method, params });
  };
  return { wire, channels, session, warnings, say, answer, notify };
};

/** What a call has emitted so far: its results, then `'|'` or what it errored with. */
const watch = (call$: Observable<unknown>): unknown[] & { readonly subscription: Subscription } => {
  const seen: unknown[] = [];
  const subscription = call$.subscribe({
    next: (value) => seen.push(value),
    error: (reason: unknown) => seen.push(reason),
    complete: () => seen.push('|'),
  });
  return Object.defineProperty(seen, 'subscription', { value: subscription }) as ReturnType<typeof watch>;
};

const idsOf = (sent: readonly Outbound[]): unknown[] => sent.map((message) => (message as { id?: unknown }).id);
const methodsOf = (sent: readonly Outbound[]): unknown[] =>
  sent.map((message) => (message as { method?: string }).method);

describe('a call', () => {
  it('sends nothing before it is subscribed to, and a request of its own for each subscriber', () => {
    const { wire, session } = opened();
    const call$ = session.call(spec({ encode: () => ({ a: 1 }) }));
    expect(wire.sent).toEqual([]);
    watch(call$);
    watch(call$);
    expect(wire.sent).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'x-test/call', params: { a: 1 } },
      { jsonrpc: '2.0', id: 2, method: 'x-test/call', params: { a: 1 } },
    ]);
  });

  it('has no params where there are none', () => {
    const { wire, session } = opened();
    watch(session.call(spec()));
    expect(wire.sent).toStrictEqual([{ jsonrpc: '2.0', id: 1, method: 'x-test/call' }]);
  });

  it('hands its hints to the wire, and learns its id as it leaves', () => {
    const { wire, session } = opened();
    const ids: unknown[] = [];
    const hints = { headers: { 'Mcp-Param-A': 'b' } };
    watch(session.call(spec({ hints, onSend: (id) => ids.push(id, wire.sent.length) })));
    expect(wire.hints).toEqual([hints]);
    expect(ids).toEqual([1, 0]);
  });

  it('never reuses an id, whatever became of the call that had it', () => {
    const { wire, session, answer } = opened();
    watch(session.call(spec())).subscription.unsubscribe();
    watch(session.call(spec()));
    answer(2);
    watch(session.call(spec()));
    expect(idsOf(wire.sent.filter((message) => 'id' in message))).toEqual([1, 2, 3]);
  });

  it.each([{ a: 1 }, null, 0, 'text', [1]])('emits the raw result once, and completes: %j', (result) => {
    const { session, answer } = opened();
    const seen = watch(session.call(spec()));
    answer(1, result);
    answer(1, 'again');
    expect(seen).toEqual([result, '|']);
  });

  it('is answered in any order, each under its own id', () => {
    const { session, answer } = opened();
    const calls = [1, 2, 3].map(() => watch(session.call(spec())));
    answer(3, 'c');
    answer(1, 'a');
    answer(2, 'b');
    expect(calls).toEqual([
      ['a', '|'],
      ['b', '|'],
      ['c', '|'],
    ]);
  });

  it('loses no answer that arrives while it is being sent', () => {
    const { wire, session, answer } = opened();
    wire.delivering = (message) => {
      answer((message as { id: number }).id, 'instant');
      return EMPTY;
    };
    expect(watch(session.call(spec()))).toEqual(['instant', '|']);
    expect(methodsOf(wire.sent)).toEqual(['x-test/call']);
  });

  it("errors with the server's error, verbatim", () => {
    const { session, say } = opened();
    const seen = watch(session.call(spec()));
    say({ jsonrpc: '2.0', id: 1, error: { code: 0, message: 'no', data: null } });
    expect(seen).toEqual([new ProtocolError(0, 'no', null)]);
    expect(seen[0]).toMatchObject({ code: 0, data: null });
  });

  it('errors where its answer is no answer, or too large, and the session lives', () => {
    const { session, say, answer } = opened();
    const invalid = watch(session.call(spec()));
    const large = watch(session.call(spec()));
    const good = watch(session.call(spec()));
    say({ invalid: 'it carries both', excerpt: '', id: 1 });
    say({ invalid: 'too large', excerpt: '', id: 2, error: new MessageTooLargeError(9, 5) });
    answer(3, 'fine');
    expect(invalid).toEqual([new InvalidMessageError('x-test/call', 1, 'it carries both')]);
    expect(large).toEqual([new MessageTooLargeError(9, 5)]);
    expect(good).toEqual(['fine', '|']);
  });

  it('errors with what its params throw as they are made, and sends nothing', () => {
    const { wire, session } = opened();
    const thrown = new Error('cannot');
    const seen = watch(
      session.call(
        spec({
          encode: () => {
            throw thrown;
          },
        }),
      ),
    );
    expect(seen).toEqual([thrown]);
    expect(wire.sent).toEqual([]);
    expect(session.inFlight).toBe(0);
  });

  it('counts as in flight until it is settled or left', () => {
    const { session, answer } = opened();
    const [first] = [watch(session.call(spec())), watch(session.call(spec()))];
    expect(session.inFlight).toBe(2);
    first?.subscription.unsubscribe();
    expect(session.inFlight).toBe(1);
    answer(2);
    expect(session.inFlight).toBe(0);
  });
});

describe('a call that cannot be delivered', () => {
  it("errors with the wire's reason, and its late answer belongs to nobody", () => {
    const { wire, session, warnings, answer } = opened();
    const gone = new ServerGoneError(1, null, 'server', '');
    wire.delivering = () => throwError(() => gone);
    expect(watch(session.call(spec()))).toEqual([gone]);
    expect(session.inFlight).toBe(0);
    answer(1);
    expect(warnings).toMatchObject([{ kind: 'unmatched-answer' }]);
    expect(methodsOf(wire.sent)).toEqual(['x-test/call']);
  });

  it('wraps whatever a foreign wire raises', () => {
    const { wire, session } = opened();
    wire.delivering = () => throwError(() => 'socket closed');
    const [error] = watch(session.call(spec()));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ cause: 'socket closed' });
  });

  it('errors as well where a foreign wire throws instead', () => {
    const { wire, session } = opened();
    wire.delivering = () => {
      throw new Error('not yet');
    };
    const [error] = watch(session.call(spec()));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ cause: new Error('not yet') });
    expect(session.inFlight).toBe(0);
  });

  it('keeps its answer when the delivery fails only afterwards', () => {
    const { wire, session, answer } = opened();
    const delivery = new Subject<never>();
    wire.delivering = () => delivery;
    const seen = watch(session.call(spec()));
    answer(1, 'in time');
    delivery.error(new Error('late'));
    expect(seen).toEqual(['in time', '|']);
  });
});

describe('a call that nobody wants as it is about to leave', () => {
  const made = () => {
    const { wire, session, channels } = opened();
    let deliveries = 0;
    wire.delivering = () =>
      new Observable<never>(() => {
        deliveries += 1;
      });
    return { wire, session, channels, deliveries: () => deliveries };
  };

  it('does not leave where it says so itself, and the server need not be told of its end', () => {
    const { wire, session, deliveries } = made();
    watch(session.call(spec({ wanted: () => false }))).subscription.unsubscribe();
    expect(deliveries()).toBe(0);
    expect(methodsOf(wire.sent)).toEqual(['x-test/call']);
    watch(session.call(spec({ wanted: () => true })));
    expect(deliveries()).toBe(1);
  });

  it('does not leave where it was given up at the sight of it on the wire', () => {
    const { wire, session, channels, deliveries } = made();
    let exchange: Unsubscribable | undefined;
    channels.wire$.subscribe(() => exchange?.unsubscribe());
    session.begin(spec({ wanted: () => true }), {
      begun: (one) => (exchange = one),
      succeed: () => undefined,
      fail: () => undefined,
    });
    expect(deliveries()).toBe(0);
    expect(methodsOf(wire.sent)).toEqual(['x-test/call']);
    expect(session.inFlight).toBe(0);
  });
});

describe('a call that is left', () => {
  it('tells the server, in words that say nothing of the caller', () => {
    const { wire, session } = opened();
    watch(session.call(spec())).subscription.unsubscribe();
    expect(wire.sent.slice(1)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 1, reason: 'the client gave this request up' },
      },
    ]);
  });

  it('is told by hanging up where the wire has channels, and no notice is sent', () => {
    marbles(({ cold, expectSubscriptions }) => {
      const { wire, session } = opened();
      const deliveries = [cold<never>('-----|'), cold<never>('-----|')];
      wire.cancelBy = 'hang-up';
      wire.delivering = () => deliveries[wire.sent.length - 1] ?? EMPTY;
      const first = watch(session.call(spec()));
      watch(session.call(spec()));
      cold('--x').subscribe(() => {
        first.subscription.unsubscribe();
        expect(methodsOf(wire.sent)).toEqual(['x-test/call', 'x-test/call']);
      });
      expectSubscriptions(deliveries[0]?.subscriptions ?? []).toBe('^-!');
      expectSubscriptions(deliveries[1]?.subscriptions ?? []).toBe('^----!');
    });
  });

  it('lets its late answer pass in silence, once, while an unknown id is a warning', () => {
    const { session, warnings, answer } = opened();
    watch(session.call(spec())).subscription.unsubscribe();
    answer(1);
    expect(warnings).toEqual([]);
    answer(1);
    answer(77);
    expect(warnings.map(({ kind, message }) => [kind, message])).toEqual([
      ['unmatched-answer', 'an answer with the id 1 belongs to no call in flight'],
      ['unmatched-answer', 'an answer with the id 77 belongs to no call in flight'],
    ]);
  });

  it('lets a late error, and a late answer that is none, pass in silence as well', () => {
    const { session, warnings, say } = opened();
    watch(session.call(spec())).subscription.unsubscribe();
    watch(session.call(spec())).subscription.unsubscribe();
    say({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'cancelled' } });
    say({ invalid: 'neither', excerpt: '', id: 2 });
    expect(warnings).toEqual([]);
  });

  it('tells nobody when it was answered: a consumer may leave from within the result', async () => {
    const { wire, session, answer } = opened();
    const seen = watch(session.call(spec()).pipe(take(1)));
    const promise = firstValueFrom(session.call(spec()));
    answer(1, 'a');
    answer(2, 'b');
    expect(seen).toEqual(['a', '|']);
    expect(await promise).toBe('b');
    expect(methodsOf(wire.sent)).toEqual(['x-test/call', 'x-test/call']);
  });

  it('tells nobody where it must not be cancelled', () => {
    const { wire, session, warnings, answer } = opened();
    watch(session.call(spec({ cancellable: false }))).subscription.unsubscribe();
    answer(1);
    expect(methodsOf(wire.sent)).toEqual(['x-test/call']);
    expect(warnings).toEqual([]);
  });

  it('leaves the other calls alone', () => {
    const { session, answer } = opened();
    const left = watch(session.call(spec()));
    const kept = watch(session.call(spec()));
    left.subscription.unsubscribe();
    answer(2, 'kept');
    expect(left).toEqual([]);
    expect(kept).toEqual(['kept', '|']);
  });
});

describe('what belongs to no call', () => {
  it.each<[string, Inbound, string]>([
    ['an id nobody has', { jsonrpc: '2.0', id: 9, result: {} }, 'the id 9'],
    ['the text of an id', { jsonrpc: '2.0', id: '1', result: {} }, 'the id "1"'],
    ['no id', { jsonrpc: '2.0', error: { code: -32700, message: 'what?' } }, 'no id'],
  ])('is a warning: an answer under %s', (_what, message, name) => {
    const { session, warnings, say, answer } = opened();
    const seen = watch(session.call(spec()));
    say(message);
    expect(warnings).toEqual([
      { kind: 'unmatched-answer', message: `an answer with ${name} belongs to no call in flight`, detail: message },
    ]);
    answer(1, 'fine');
    expect(seen).toEqual(['fine', '|']);
  });

  it('is a warning with its beginning: what is no message', () => {
    const { warnings, say } = opened();
    say({ invalid: 'not JSON', excerpt: 'Listening on stdio' });
    expect(warnings).toEqual([
      {
        kind: 'invalid-message',
        message: 'skipped what is no JSON-RPC message: not JSON',
        detail: 'Listening on stdio',
      },
    ]);
  });

  it('is answered: a ping of the server', () => {
    const { wire, say } = opened();
    say({ jsonrpc: '2.0', id: 'p', method: 'ping' });
    expect(wire.sent).toEqual([{ jsonrpc: '2.0', id: 'p', result: {} }]);
  });

  it('is given up: a request of the server that it withdraws', () => {
    const wire = new HandTransport();
    const asked = new Subject<unknown>();
    const session = new Session(wire, new Channels(), new Map([['roots/list', () => asked]]));
    wire.inbox.next({ jsonrpc: '2.0', id: 5, method: 'roots/list' });
    expect(asked.observed).toBe(true);
    wire.inbox.next({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } });
    expect(asked.observed).toBe(false);
    expect(wire.sent).toEqual([]);
    session.close();
  });

  it('goes to whoever intercepts it first, and no further if that claims it', () => {
    const { session, channels, warnings, say, answer } = opened();
    const call = watch(session.call(spec()));
    const claimed: unknown[] = [];
    const notified: unknown[] = [];
    channels.notifications$.subscribe(({ method }) => notified.push(method));
    const release = session.intercept((message) => {
      claimed.push(message);
      return !('method' in message);
    });
    answer(1);
    answer(9);
    say({ jsonrpc: '2.0', method: 'notifications/x' });
    expect(claimed).toEqual([
      { jsonrpc: '2.0', id: 9, result: {} },
      { jsonrpc: '2.0', method: 'notifications/x' },
    ]);
    expect(notified).toEqual(['notifications/x']);
    expect(warnings).toEqual([]);
    expect(call).toEqual([{}, '|']);
    release();
    answer(9);
    expect(claimed).toHaveLength(2);
    expect(warnings).toHaveLength(1);
  });

  it('is no longer intercepted by one that another has followed, whose release then does nothing', () => {
    const { session, answer } = opened();
    const seen: string[] = [];
    const claim = (name: string) => () => {
      seen.push(name);
      return true;
    };
    const releaseFirst = session.intercept(claim('first'));
    session.intercept(claim('second'));
    releaseFirst();
    answer(9);
    expect(seen).toEqual(['second']);
  });
});

describe('progress', () => {
  const tokens = (session: Session, wanted: CallSpec['progressToken'][]): unknown[] => {
    const given: unknown[] = [];
    for (const progressToken of wanted) {
      watch(session.call(spec({ progressToken, encode: (token) => (given.push(token), undefined) })));
    }
    return given;
  };

  it('has a fresh token for each call that asks for one, the one that is given, or none', () => {
    const { session } = opened();
    expect(tokens(session, [true, undefined, 'mine', true, 0])).toStrictEqual([1, undefined, 'mine', 2, 0]);
  });

  it('has no fresh token that is in use already', () => {
    const { session } = opened();
    expect(tokens(session, [1, 2, true])).toEqual([1, 2, 3]);
  });

  it('refuses a token that is in use, and sends nothing', () => {
    const { wire, session, answer } = opened();
    watch(session.call(spec({ progressToken: 't' })));
    const [error] = watch(session.call(spec({ progressToken: 't' })));
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toMatchObject({
      option: 'progressToken',
      message: expect.stringContaining('"t" is the token of a call in flight'),
    });
    expect(wire.sent).toHaveLength(1);
    answer(1);
    expect(watch(session.call(spec({ progressToken: 't' })))).toEqual([]);
  });

  it('reaches the call, then the stream of all calls, with the facts of the call', () => {
    const { session, channels, notify } = opened();
    const seen: unknown[] = [];
    channels.progress$.subscribe((report) => seen.push(['all', report]));
    watch(
      session.call(
        spec({
          progressToken: 't',
          name: 'export',
          toolCallId: 'call_1',
          onProgress: (report) => seen.push(['call', report]),
        }),
      ),
    );
    notify('notifications/progress', { progressToken: 't', progress: 1, total: 4, message: 'one' });
    const report: Progress = {
      requestId: 1,
      progressToken: 't',
      method: 'x-test/call',
      name: 'export',
      toolCallId: 'call_1',
      progress: 1,
      total: 4,
      message: 'one',
    };
    expect(seen).toStrictEqual([
      ['call', report],
      ['all', report],
    ]);
  });

  it('has no members the server did not give, or gave wrongly', () => {
    const { session, channels, notify } = opened();
    const seen = watch(channels.progress$);
    watch(session.call(spec({ progressToken: 7 })));
    notify('notifications/progress', { progressToken: 7, progress: 0, total: '4', message: 5 });
    expect(seen).toStrictEqual([{ requestId: 1, progressToken: 7, method: 'x-test/call', progress: 0 }]);
  });

  it('may go backwards: what a server reports is passed on', () => {
    const { session, channels, notify } = opened();
    const seen = watch(channels.progress$);
    watch(session.call(spec({ progressToken: 7 })));
    for (const progress of [2, 1, 1]) notify('notifications/progress', { progressToken: 7, progress });
    expect(seen.map((report) => (report as Progress).progress)).toEqual([2, 1, 1]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['for a token nobody gave', { progressToken: 9, progress: 1 }],
    ['for the text of a token', { progressToken: '7', progress: 1 }],
    ['for a token that is none', { progressToken: { a: 1 }, progress: 1 }],
    ['without a token', { progress: 1 }],
    ['without progress', { progressToken: 7 }],
    ['with progress that is no number', { progressToken: 7, progress: 'half' }],
  ])('is dropped %s', (_what, params) => {
    const { session, channels, warnings, notify } = opened();
    const seen = watch(channels.progress$);
    watch(session.call(spec({ progressToken: 7 })));
    notify('notifications/progress', params);
    expect(seen).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('is dropped after the answer, and after the call was left', () => {
    const { session, channels, notify, answer } = opened();
    const seen = watch(channels.progress$);
    watch(session.call(spec({ progressToken: 'a' })));
    watch(session.call(spec({ progressToken: 'b' }))).subscription.unsubscribe();
    answer(1);
    for (const progressToken of ['a', 'b']) notify('notifications/progress', { progressToken, progress: 1 });
    expect(seen).toEqual([]);
  });
});

describe('logs', () => {
  it('reach every call that wants them, oldest first, then the stream', () => {
    const { session, channels, notify } = opened();
    const seen: unknown[] = [];
    channels.logs$.subscribe((log) => seen.push(['all', log]));
    for (const name of ['first', 'second']) watch(session.call(spec({ onLog: (log) => seen.push([name, log]) })));
    watch(session.call(spec()));
    notify('notifications/message', { level: 'info', logger: 'db', data: { rows: 1 } });
    const log: LogMessage = { level: 'info', logger: 'db', data: { rows: 1 } };
    expect(seen).toEqual([
      ['first', log],
      ['second', log],
      ['all', log],
    ]);
  });

  it.each([undefined, 'warn', 7, 'INFO'])('are only a notification where their level is none: %j', (level) => {
    const { channels, notify } = opened();
    const logs = watch(channels.logs$);
    const notifications = watch(channels.notifications$);
    notify('notifications/message', { level, data: 'x' });
    expect(logs).toEqual([]);
    expect(notifications).toHaveLength(1);
  });

  it('are not given to a call that one of them starts', () => {
    const { session, notify } = opened();
    const seen: string[] = [];
    watch(
      session.call(
        spec({
          onLog: () => {
            seen.push('first');
            watch(session.call(spec({ onLog: () => seen.push('started by it') })));
          },
        }),
      ),
    );
    notify('notifications/message', { level: 'info', data: 'x' });
    expect(seen).toEqual(['first']);
  });
});

it('every notification is passed on as it came, the known ones included, in the order of the wire', () => {
  const { session, channels, notify, say, answer } = opened();
  const seen: unknown[] = [];
  channels.notifications$.subscribe((notification) => seen.push(notification));
  session
    .call(spec({ progressToken: 't', onProgress: () => seen.push('progress'), onLog: () => seen.push('log') }))
    .subscribe(() => seen.push('result'));
  notify('notifications/progress', { progressToken: 't', progress: 1 });
  notify('notifications/message', { level: 'info', data: 'x' });
  say({ jsonrpc: '2.0', method: 'notifications/acme' });
  answer(1);
  expect(seen).toEqual([
    { method: 'notifications/progress', params: { progressToken: 't', progress: 1 } },
    'progress',
    { method: 'notifications/message', params: { level: 'info', data: 'x' } },
    'log',
    { method: 'notifications/acme', params: undefined },
    'result',
  ]);
});

describe('the wire', () => {
  it('is shown frame by frame, both ways, an answer before anybody hears of it', () => {
    const { wire, session, channels, answer } = opened();
    const frames: WireFrame[] = [];
    channels.wire$.subscribe((frame) => frames.push(frame));
    let seenBefore = 0;
    session.call(spec()).subscribe(() => {
      seenBefore = frames.length;
    });
    answer(1, 'x');
    expect(frames.map(({ direction, message }) => [direction, message])).toEqual([
      ['out', wire.sent[0]],
      ['in', { jsonrpc: '2.0', id: 1, result: 'x' }],
    ]);
    expect(seenBefore).toBe(2);
  });

  it('has its lines of stderr passed on, and its failure to say more ignored', () => {
    const lines = new Subject<string>();
    const { channels, session } = opened(new HandTransport(lines));
    const seen = watch(channels.stderr$);
    lines.next('one');
    lines.error(new Error('pipe'));
    expect(seen).toEqual(['one']);
    expect(session.end).toBeUndefined();
  });

  it('has its warnings passed on, and its failure to say more ignored', () => {
    const wire = new HandTransport();
    const lines = new Subject<string>();
    Object.assign(wire, { warnings$: lines });
    const { session, warnings } = opened(wire);
    lines.next('a stream was cut off');
    lines.error(new Error('pipe'));
    expect(warnings).toEqual([{ kind: 'transport', message: 'a stream was cut off' }]);
    expect(session.end).toBeUndefined();
  });

  it('is read once, and let go of when the session ends', () => {
    const { wire, session } = opened();
    expect(wire.inbox.observed).toBe(true);
    session.close();
    expect(wire.inbox.observed).toBe(false);
    expect(wire.closed).toBe(0);
  });

  it('lets go of what else it hears and writes when it ends, and of nothing else before', () => {
    const stderr = new Subject<string>();
    const warned = new Subject<string>();
    const writing = new Subject<never>();
    const wire = Object.assign(new HandTransport(stderr), { warnings$: warned, delivering: () => writing });
    const { session } = opened(wire);
    session.notify('notifications/x');
    const all = [stderr, warned, writing];
    expect(all.map(({ observed }) => observed)).toEqual([true, true, true]);
    stderr.complete();
    expect([warned.observed, writing.observed]).toEqual([true, true]);
    session.close();
    expect(all.map(({ observed }) => observed)).toEqual([false, false, false]);
  });

  it('says when a message was written, and when that failed', () => {
    const { wire, session } = opened();
    const written = jest.fn();
    wire.delivering = () => EMPTY;
    session.write({ jsonrpc: '2.0', method: 'notifications/x' }, written);
    expect(written).toHaveBeenCalledTimes(1);
    wire.delivering = () => throwError(() => new Error('no'));
    session.write({ jsonrpc: '2.0', method: 'notifications/x' }, written);
    expect(written).toHaveBeenCalledTimes(2);
  });

  it('tells its watcher of the end, which comes before all others, or at once where it is there', () => {
    const { session } = opened();
    const told: unknown[] = [];
    session.ended$.subscribe((reason) => told.push('ended$', reason));
    session.watch({ ended: (reason) => told.push('watcher', reason) });
    expect(told).toEqual([]);
    session.close(7);
    expect(told).toEqual(['watcher', 7, 'ended$', 7]);
    session.watch({ ended: (reason) => told.push('late', reason) });
    expect(told.slice(4)).toEqual(['late', 7]);
  });

  it('tells of its end whoever asks before it, and after it', () => {
    const { session } = opened();
    const early = watch(session.ended$);
    const reason = new TransportClosedError();
    session.close(reason);
    expect([early, watch(session.ended$), watch(opened().session.ended$)]).toEqual([[reason, '|'], [reason, '|'], []]);
    const late = opened().session;
    late.close(reason);
    expect(watch(late.ended$)).toEqual([reason, '|']);
  });

  it('may hold messages that came before the session, and they are heard', () => {
    const wire = new HandTransport();
    const early: Inbound = { jsonrpc: '2.0', id: 'early', method: 'ping' };
    Object.assign(wire, { inbound$: concat(of(early), NEVER) });
    opened(wire);
    expect(wire.sent).toEqual([{ jsonrpc: '2.0', id: 'early', result: {} }]);
  });

  it('is written to by notify, without params where there are none', () => {
    const { wire, session } = opened();
    session.notify('notifications/x');
    session.notify('notifications/y', { a: 1 });
    expect(wire.sent).toStrictEqual([
      { jsonrpc: '2.0', method: 'notifications/x' },
      { jsonrpc: '2.0', method: 'notifications/y', params: { a: 1 } },
    ]);
  });

  it('makes a warning of what cannot be written', () => {
    const { wire, session, warnings, say } = opened();
    const reason = new Error('full');
    wire.delivering = () => throwError(() => reason);
    session.notify('notifications/x');
    say({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(warnings).toEqual([
      { kind: 'housekeeping', message: 'notifications/x could not be sent: Error: full', detail: reason },
      { kind: 'housekeeping', message: 'an answer could not be sent: Error: full', detail: reason },
    ]);
  });
});

describe('the end of the wire', () => {
  const gone = new ServerGoneError(7, null, 'server', 'tail');

  it.each<[string, (wire: HandTransport) => void, (reason: unknown) => void]>([
    [
      'its death, with the reason as it is',
      (wire) => {
        wire.inbox.error(gone);
      },
      (reason) => {
        expect(reason).toBe(gone);
      },
    ],
    [
      'a failure of its own, wrapped',
      (wire) => {
        wire.inbox.error('broken');
      },
      (reason) => {
        expect(reason).toBeInstanceOf(TransportError);
        expect(reason).toMatchObject({ cause: 'broken' });
      },
    ],
    [
      'its completion',
      (wire) => {
        wire.inbox.complete();
      },
      (reason) => {
        expect(reason).toBeInstanceOf(TransportClosedError);
      },
    ],
  ])('fails everything in flight, and everything later: %s', (_what, end, check) => {
    const { wire, session } = opened();
    const calls = [watch(session.call(spec())), watch(session.call(spec()))];
    const ended = watch(session.ended$);
    end(wire);
    const later = watch(session.call(spec()));
    for (const [reason] of [...calls, later]) check(reason);
    check(session.end?.reason);
    expect(ended).toEqual([session.end?.reason, '|']);
    expect(watch(session.ended$)).toHaveLength(2);
    expect(wire.sent).toHaveLength(2);
    expect(session.inFlight).toBe(0);
  });

  it('is told to nobody by notices: there is nobody left', () => {
    const { wire, session } = opened();
    const call = watch(session.call(spec()));
    wire.inbox.error(gone);
    call.subscription.unsubscribe();
    session.notify('notifications/x');
    expect(wire.sent).toHaveLength(1);
  });

  it('shows before it is there: the session is lost from the first sign that the wire will end', () => {
    const { wire, session } = opened();
    expect(session.lost).toBe(false);
    wire.alive = false;
    expect([session.lost, session.end]).toEqual([true, undefined]);
    wire.alive = true;
    session.close();
    expect(session.lost).toBe(true);
  });

  it('makes no warning of what cannot be written any longer', () => {
    const { wire, session, warnings } = opened();
    const delivery = new Subject<never>();
    wire.delivering = (message) => ('id' in message ? NEVER : delivery);
    session.call(spec()).subscribe({
      error: () => {
        delivery.error(new Error('closed'));
      },
    });
    session.notify('notifications/x');
    wire.inbox.error(gone);
    expect(warnings).toEqual([]);
  });

  it('counts once', () => {
    const { session } = opened();
    session.close(gone);
    session.close();
    expect(session.end).toEqual({ reason: gone });
  });

  it('is known already to a call that is started from a failure', () => {
    const { wire, session } = opened();
    const retried: unknown[] = [];
    session.call(spec()).subscribe({
      error: () => {
        session.call(spec()).subscribe({ error: (reason: unknown) => retried.push(reason) });
      },
    });
    wire.inbox.error(gone);
    expect(retried).toEqual([gone]);
    expect(wire.sent).toHaveLength(1);
  });

  it('may be there before the session: whatever is called then fails with it', () => {
    const wire = new HandTransport();
    Object.assign(wire, { inbound$: throwError(() => gone) });
    const { session } = opened(wire);
    expect(watch(session.call(spec()))).toEqual([gone]);
  });

  it('unsubscribes whoever serves a request of the server', () => {
    const wire = new HandTransport();
    const asked = new Subject<unknown>();
    const session = new Session(wire, new Channels(), new Map([['roots/list', () => asked]]));
    wire.inbox.next({ jsonrpc: '2.0', id: 5, method: 'roots/list' });
    session.close();
    expect(asked.observed).toBe(false);
  });
});

describe('a subscriber that throws', () => {
  const { onUnhandledError } = config;

  afterEach(() => {
    config.onUnhandledError = onUnhandledError;
  });

  it('stops neither the reading nor the other calls; RxJS reports it', async () => {
    const reported: unknown[] = [];
    const both = new Promise<void>((resolve) => {
      config.onUnhandledError = (reason) => {
        if (reported.push(reason) === 2) resolve();
      };
    });
    const { session, channels, answer, notify } = opened();
    const thrower = (): never => {
      throw new Error('thrown');
    };
    session.call(spec()).subscribe({ next: thrower });
    channels.notifications$.subscribe({ next: thrower });
    const other = watch(session.call(spec()));
    notify('notifications/x', {});
    answer(1);
    answer(2, 'fine');
    expect(other).toEqual(['fine', '|']);
    await both;
    expect(reported).toEqual([new Error('thrown'), new Error('thrown')]);
  });
});
