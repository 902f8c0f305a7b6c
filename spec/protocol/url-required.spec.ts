import { describe, expect, it } from '@jest/globals';
import { EMPTY, NEVER, of, Subject, takeUntil, throwError } from 'rxjs';
import { ProtocolError } from '../../src/errors/index.js';
import type { Hooks, InputEvent, ServerDescription } from '../../src/protocol/index.js';
import { whenUrlRequired } from '../../src/protocol/url-required.js';
import type { RawNotification } from '../../src/session/index.js';
import { answering, SERVER } from '../support/answering.js';
import { watch } from '../support/client/watch.js';
import { marbles } from '../support/marbles.js';

const LEGACY: ServerDescription = { ...SERVER, era: 'legacy', protocolVersion: '2025-11-25' };

const matter = (elicitationId: unknown, url = 'https://example.com/connect') => ({
  mode: 'url',
  message: 'Please sign in',
  url,
  elicitationId,
});

const required = (...elicitations: readonly unknown[]): ProtocolError =>
  new ProtocolError(-32042, 'sign in first', { elicitations });

const completion = (elicitationId: unknown): RawNotification => ({
  method: 'notifications/elicitation/complete',
  params: { elicitationId },
});

/** A call that is refused, and what is needed to answer that. */
const refused = (hooks: Hooks, reason: unknown, { server = LEGACY, inputTimeoutMs = 0, leaves = false } = {}) => {
  const notifications$ = new Subject<RawNotification>();
  const gone$ = new Subject<unknown>();
  const lost$ = new Subject<unknown>();
  const events: InputEvent[] = [];
  const counts = { made: 0, again: 0 };
  const { answerer, warnings } = answering(hooks, inputTimeoutMs);
  const call$ = throwError(() => {
    counts.made += 1;
    return reason;
  }).pipe(
    whenUrlRequired<string>({
      answerer,
      notifications$,
      lost$,
      inputTimeoutMs,
      server: () => server,
      again: () => {
        counts.again += 1;
        return of('done');
      },
      onInput: (event) => {
        events.push(event);
        return !leaves;
      },
      answering: (answers$) => answers$.pipe(takeUntil(gone$)),
    }),
  );
  return { call$, notifications$, lost$, gone$, events, counts, warnings };
};

const accept = { action: 'accept' } as const;

describe('a call that is refused with -32042', () => {
  it('is made once more, at once, where the user says that the matter is done', () => {
    const reason = required(matter('e1'));
    const { call$, counts, notifications$ } = refused({ onElicitUrl: () => ({ ...accept, completed: true }) }, reason);
    const { values, completed } = watch(call$);
    expect([values, completed, counts]).toEqual([['done'], true, { made: 1, again: 1 }]);
    expect(notifications$.observed).toBe(false);
  });

  it('is made once more when the server says that the matter is done', () => {
    const { call$, counts, notifications$ } = refused({ onElicitUrl: () => accept }, required(matter('e1')));
    const seen = watch(call$);
    for (const id of ['e2', undefined, 1, 'E1']) notifications$.next(completion(id));
    notifications$.next({ method: 'notifications/elicitation/complete' });
    notifications$.next({ method: 'notifications/other', params: { elicitationId: 'e1' } });
    expect([seen.marks, counts.again]).toEqual([[], 0]);
    notifications$.next(completion('e1'));
    notifications$.next(completion('e1'));
    expect([seen.values, seen.completed, counts]).toEqual([['done'], true, { made: 1, again: 1 }]);
    expect(notifications$.observed).toBe(false);
  });

  it('heeds a notice that comes while the user still looks at the page', () => {
    const hook$ = new Subject<typeof accept>();
    const { call$, notifications$ } = refused({ onElicitUrl: () => hook$ }, required(matter('e1')));
    const seen = watch(call$);
    notifications$.next(completion('e1'));
    expect(seen.marks).toEqual([]);
    hook$.next(accept);
    hook$.complete();
    expect(seen.values).toEqual(['done']);
  });

  it('waits for every matter, each in its own way', () => {
    const { call$, notifications$, counts } = refused(
      { onElicitUrl: ({ params }) => ({ ...accept, completed: params.elicitationId === 'mine' }) },
      required(matter('a'), matter('mine'), matter('b')),
    );
    const seen = watch(call$);
    notifications$.next(completion('b'));
    notifications$.next(completion('b'));
    expect(seen.marks).toEqual([]);
    notifications$.next(completion('a'));
    expect([seen.values, counts.again]).toEqual([['done'], 1]);
  });

  it('hands the hook the whole matter', () => {
    const given: unknown[] = [];
    const onElicitUrl = (question: unknown) => {
      given.push(question);
      return { action: 'cancel' } as const;
    };
    // A server may leave out the mode, which can be no other.
    const { mode: _mode, ...bare } = matter('e1', 'https://example.com:1/a');
    watch(refused({ onElicitUrl }, required(bare)).call$);
    expect(given).toEqual([
      {
        method: 'elicitation/create',
        params: matter('e1', 'https://example.com:1/a'),
        server: LEGACY,
        host: 'example.com:1',
      },
    ]);
  });

  it('shows the question and its answer among its events', () => {
    const { call$, events } = refused({ onElicitUrl: () => ({ ...accept, completed: true }) }, required(matter('e1')));
    watch(call$);
    const question = { key: 'e1', method: 'elicitation/create', params: matter('e1') };
    expect(events).toEqual([question, { ...question, answer: accept }]);
  });

  it('asks nobody where whoever sees the question leaves at once', () => {
    const onElicitUrl = (): never => {
      throw new Error('it must not be called');
    };
    const { call$, notifications$, warnings } = refused({ onElicitUrl }, required(matter('e1')), { leaves: true });
    const seen = watch(call$);
    expect([seen.marks, warnings]).toEqual([[], []]);
    seen.subscription.unsubscribe();
    expect(notifications$.observed).toBe(false);
  });

  it.each<readonly [string, Hooks]>([
    ['declines', { onElicitUrl: () => ({ action: 'decline' }) }],
    ['cancels', { onElicitUrl: () => ({ action: 'cancel' }) }],
    ['dismisses it', { onElicitUrl: () => EMPTY }],
    [
      'cannot be asked, since the hook throws',
      {
        onElicitUrl: () => {
          throw new Error('broke');
        },
      },
    ],
    ['has no hook for it', { onElicit: () => ({ action: 'accept', content: {} }) }],
  ])('stays refused where the user %s', (_how, hooks) => {
    const reason = required(matter('e1'));
    const { call$, counts, notifications$ } = refused(hooks, reason);
    expect(watch(call$).error).toBe(reason);
    expect(counts).toEqual({ made: 1, again: 0 });
    expect(notifications$.observed).toBe(false);
  });

  it('stays refused where one of several matters is declined, once all have been asked', () => {
    const reason = required(matter('a'), matter('b'));
    const { call$, counts } = refused(
      {
        onElicitUrl: ({ params }) => ({ action: params.elicitationId === 'a' ? 'decline' : 'accept', completed: true }),
      },
      reason,
    );
    expect(watch(call$).error).toBe(reason);
    expect(counts.again).toBe(0);
  });

  it('stays refused, and shows no page, where the URL must not be opened', () => {
    const onElicitUrl = (): never => {
      throw new Error('it must not be called');
    };
    const reason = required(matter('a', 'javascript:alert(1)'));
    const { call$, warnings } = refused({ onElicitUrl }, reason);
    expect(watch(call$).error).toBe(reason);
    expect(warnings.map(({ message }) => message)).toEqual([
      "elicitation/create: a server's URL was not shown: it is neither https nor http on loopback",
    ]);
  });

  it('is given up after inputTimeoutMs where nobody ever says that the matter is done', () => {
    marbles(({ expectObservable, flush }) => {
      const reason = required(matter('e1'));
      const { call$, counts, notifications$ } = refused({ onElicitUrl: () => accept }, reason, { inputTimeoutMs: 5 });
      expectObservable(call$).toBe('-----#', undefined, reason);
      flush();
      expect([counts.again, notifications$.observed]).toEqual([0, false]);
    });
  });

  it('counts the time at the page and the wait for its completion as one', () => {
    marbles(({ cold, expectObservable }) => {
      const reason = required(matter('e1'));
      const onElicitUrl = () => cold('---(a|)', { a: accept });
      expectObservable(refused({ onElicitUrl }, reason, { inputTimeoutMs: 5 }).call$).toBe('-----#', undefined, reason);
    });
  });

  it('waits for ever at 0', () => {
    marbles(({ expectObservable }) => {
      const { call$ } = refused({ onElicitUrl: () => accept }, required(matter('e1')));
      expectObservable(call$, '^ 9999s !').toBe('');
    });
  });

  it('stays refused when the wire is lost on which its completion would be told, and not before it is waited for', () => {
    const reason = required(matter('e1'));
    const hook$ = new Subject<typeof accept>();
    const { call$, lost$, counts } = refused({ onElicitUrl: () => hook$ }, reason);
    const seen = watch(call$);
    lost$.next('died');
    expect(seen.marks).toEqual([]);
    hook$.next(accept);
    hook$.complete();
    expect(seen.marks).toEqual([]);
    lost$.next('died');
    expect([seen.error, counts.again, lost$.observed]).toEqual([reason, 0, false]);
  });

  it('ends with the caller, in the wait for the hook and in the wait for completion', () => {
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const hook$ = cold<typeof accept>('---(a|)', { a: accept });
      const [early, late] = [1, 2].map(() => refused({ onElicitUrl: () => hook$ }, required(matter('e1')))) as [
        ReturnType<typeof refused>,
        ReturnType<typeof refused>,
      ];
      cold('--x').subscribe(early.gone$);
      cold('-----x').subscribe(late.gone$);
      expectObservable(early.call$).toBe('--|');
      expectObservable(late.call$).toBe('-----|');
      expectSubscriptions(hook$.subscriptions).toBe(['^-!', '^--!']);
      flush();
      expect([early.notifications$.observed, late.notifications$.observed]).toEqual([false, false]);
    });
  });

  it('listens to nothing any longer once it is unsubscribed', () => {
    const { call$, notifications$ } = refused({ onElicitUrl: () => accept }, required(matter('e1')));
    const seen = watch(call$);
    expect(notifications$.observed).toBe(true);
    seen.subscription.unsubscribe();
    expect(notifications$.observed).toBe(false);
  });
});

describe('whenUrlRequired()', () => {
  const ask: Hooks = {
    onElicitUrl: () => {
      throw new Error('it must not be called');
    },
  };

  it.each<readonly [string, unknown, ServerDescription?]>([
    ['another code', new ProtocolError(-32603, 'broke', { elicitations: [matter('a')] })],
    ['no data', new ProtocolError(-32042, 'sign in first')],
    ['data that is no object', new ProtocolError(-32042, 'sign in first', 'there')],
    ['elicitations that are no list', new ProtocolError(-32042, 'sign in first', { elicitations: matter('a') })],
    ['no elicitation', required()],
    ['elicitations without an id', required(matter(undefined), matter(5), null, 'a')],
    ['an error of another kind', new Error('-32042')],
    ['a modern server, which has no such error', required(matter('a')), SERVER],
  ])('mirrors %s', (_what, reason, server = LEGACY) => {
    const { call$, counts, warnings } = refused(ask, reason, { server });
    expect(watch(call$).error).toBe(reason);
    expect([counts, warnings]).toEqual([{ made: 1, again: 0 }, []]);
  });

  it('ends with what the call raises the second time, be it the same refusal', () => {
    const reason = required(matter('a'));
    const { answerer } = answering({ onElicitUrl: () => ({ ...accept, completed: true }) });
    let made = 0;
    const call$ = throwError(() => {
      made += 1;
      return reason;
    });
    const seen = watch(
      call$.pipe(
        whenUrlRequired<never>({
          answerer,
          notifications$: new Subject(),
          lost$: NEVER,
          inputTimeoutMs: 0,
          server: () => LEGACY,
          again: () => call$,
          answering: (answers$) => answers$,
        }),
      ),
    );
    expect([seen.error, made]).toEqual([reason, 2]);
  });

  it('mirrors a result', () => {
    const { answerer } = answering(ask);
    const terms = {
      answerer,
      notifications$: new Subject<RawNotification>(),
      lost$: NEVER,
      inputTimeoutMs: 0,
      server: () => LEGACY,
      again: () => of('again'),
      answering: <T>(answers$: T): T => answers$,
    };
    expect(watch(of('result').pipe(whenUrlRequired(terms))).values).toEqual(['result']);
  });
});
