import { describe, expect, it } from '@jest/globals';
import { defer, finalize, NEVER, type Observable, of, Subject, throwError } from 'rxjs';
import { CallClocks } from '../../src/client/clocks.js';
import { InFlight, type Running } from '../../src/client/in-flight.js';
import type { InputEvent, InputQuestion, Outcome } from '../../src/protocol/index.js';
import { Deadlines } from '../../src/rx/index.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

const QUESTION: InputQuestion = { key: '1', method: 'elicitation/create', params: { message: 'm' } };
const ANSWER: Outcome = { result: { action: 'decline' } };
const UNWANTED: Outcome = { result: { action: 'cancel' } };

/** A request that is out, the events it was given, and when its clocks ran out. */
const running = (limits = { timeoutMs: 0, maxTotalMs: 0 }, id?: string | number) => {
  const events: InputEvent[] = [];
  const expired: number[] = [];
  const clocks = new CallClocks(new Deadlines(), limits, { expire: (ms) => expired.push(ms) });
  const input = (event: InputEvent): boolean => events.push(event) > 0;
  const request: Running = {
    id,
    answered: false,
    wanted: () => true,
    error: () => undefined,
    clocks,
    operation: {
      method: 'tools/call',
      repeatable: () => false,
      events: { input, progress: () => undefined, log: () => undefined },
    },
  };
  return { request, events, expired };
};

describe('quiet()', () => {
  it('is nothing to wait for where nothing is in flight', () => {
    expect(new InFlight().quiet(new Deadlines(), 1_000)).toBeUndefined();
  });

  it('resolves when the last request is gone and the last call that is held has ended', async () => {
    const inFlight = new InFlight();
    const [one, two] = [running().request, running().request];
    const [left$, answered$] = [new Subject<void>(), new Subject<void>()];
    inFlight.add(one);
    inFlight.add(two);
    const left = watch(inFlight.hold(left$));
    watch(inFlight.hold(answered$));
    let quiet = false;
    const waiting = inFlight.quiet(new Deadlines(), 100_000)?.then(() => {
      quiet = true;
    });
    for (const ends of [
      () => inFlight.delete(one),
      () => left.subscription.unsubscribe(),
      () => inFlight.delete(two),
    ]) {
      ends();
      await Promise.resolve();
      expect(quiet).toBe(false);
    }
    answered$.complete();
    await waiting;
    expect(quiet).toBe(true);
  });

  it('resolves when its time is over, and leaves no timer where it is not', () => {
    inVirtualTime(({ at }) => {
      const inFlight = new InFlight();
      const timers: string[] = [];
      // A Promise takes a turn of its own; that its clock is stopped shows in the deadlines.
      const deadlines = {
        start: (ms: number, expire: () => void) => {
          timers.push(`start ${ms}`);
          return {
            expire,
            cancel: () => timers.push('cancel'),
            pause: () => undefined,
            restart: () => undefined,
          };
        },
      } as unknown as Deadlines;
      const { request } = running();
      inFlight.add(request);
      void inFlight.quiet(deadlines, 300);
      at(10, () => inFlight.delete(request));
      at(20, () => expect(timers).toEqual(['start 300', 'cancel']));
    });
  });

  it('is told of a call that errors, and of one that emits while it is subscribed to', () => {
    const inFlight = new InFlight();
    watch(inFlight.hold(throwError(() => new Error('broke'))));
    expect(watch(inFlight.hold(of(1))).values).toEqual([1]);
    expect(inFlight.quiet(new Deadlines(), 1)).toBeUndefined();
  });

  it('counts each subscription of a call', () => {
    const inFlight = new InFlight();
    const held$ = inFlight.hold(NEVER);
    expect(inFlight.quiet(new Deadlines(), 1)).toBeUndefined();
    const [one, two] = [watch(held$), watch(held$)];
    one.subscription.unsubscribe();
    expect(inFlight.quiet(new Deadlines(), 100_000)).toBeDefined();
    two.subscription.unsubscribe();
    expect(inFlight.quiet(new Deadlines(), 1)).toBeUndefined();
  });
});

describe('during()', () => {
  it('shows the question, and its answer, to all that are out as it comes', () => {
    const inFlight = new InFlight();
    const [here, gone, later] = [running(), running(), running()];
    inFlight.add(here.request);
    inFlight.add(gone.request);
    gone.request.answered = true;
    inFlight.delete(gone.request);
    const outcome$ = new Subject<Outcome>();
    const seen = watch(inFlight.during(QUESTION, outcome$, UNWANTED));
    inFlight.add(later.request);
    expect(here.events).toEqual([QUESTION]);
    outcome$.next(ANSWER);
    expect(here.events).toEqual([QUESTION, { ...QUESTION, answer: { action: 'decline' } }]);
    expect([gone.events, later.events]).toEqual([[], []]);
    expect([seen.values, seen.completed]).toEqual([[ANSWER], true]);
  });

  it('shows no answer where a sampling is refused', () => {
    const inFlight = new InFlight();
    const { request, events } = running();
    inFlight.add(request);
    expect(watch(inFlight.during(QUESTION, of({ refused: true }), UNWANTED)).values).toEqual([{ refused: true }]);
    expect(events).toEqual([QUESTION]);
  });

  it('does nothing before it is subscribed to', () => {
    const inFlight = new InFlight();
    const { request, events } = running();
    inFlight.add(request);
    void inFlight.during(QUESTION, of(ANSWER), UNWANTED);
    expect(events).toEqual([]);
  });

  it.each<readonly [string, (outcome$: Subject<Outcome>, leave: () => void) => void]>([
    [
      'is answered',
      (outcome$) => {
        outcome$.next(ANSWER);
        outcome$.complete();
      },
    ],
    ['is unsubscribed', (_outcome$, leave) => leave()],
  ])('lets the clocks of what is out stand still until it %s', (_how, end) => {
    inVirtualTime(({ at }) => {
      const inFlight = new InFlight();
      const { request, expired } = running({ timeoutMs: 100, maxTotalMs: 0 });
      inFlight.add(request);
      const outcome$ = new Subject<Outcome>();
      const seen = watch(inFlight.during(QUESTION, outcome$, undefined));
      at(5_000, () => {
        expect(expired).toEqual([]);
        end(outcome$, () => seen.subscription.unsubscribe());
      });
      at(5_099, () => expect(expired).toEqual([]));
      at(5_101, () => expect(expired).toEqual([100]));
    });
  });

  it('lets them stand still until the last of several is over', () => {
    inVirtualTime(({ at }) => {
      const inFlight = new InFlight();
      const { request, expired } = running({ timeoutMs: 100, maxTotalMs: 0 });
      inFlight.add(request);
      const [one, two] = [1, 2].map(() => watch(inFlight.during(QUESTION, NEVER, undefined)));
      at(200, () => one?.subscription.unsubscribe());
      at(1_000, () => {
        expect(expired).toEqual([]);
        two?.subscription.unsubscribe();
      });
      at(1_101, () => expect(expired).toEqual([100]));
    });
  });

  const open = (inFlight: InFlight, unwanted: Outcome | undefined = UNWANTED) => {
    const state = { open: true };
    const hook$: Observable<Outcome> = NEVER.pipe(
      finalize(() => {
        state.open = false;
      }),
    );
    return Object.assign(watch(inFlight.during(QUESTION, hook$, unwanted)), { state });
  };

  it('ends as unwanted when all that were out as it came have been given up', () => {
    const inFlight = new InFlight();
    const [one, two, later] = [running().request, running().request, running().request];
    inFlight.add(one);
    inFlight.add(two);
    const seen = open(inFlight);
    inFlight.add(later);
    inFlight.delete(one);
    inFlight.delete(later);
    expect([seen.marks, seen.state.open]).toEqual([[], true]);
    inFlight.delete(two);
    expect([seen.values, seen.completed, seen.state.open]).toEqual([[UNWANTED], true, false]);
  });

  it('is for one alone where it came on the own channel of that, though the clocks of all stand still', () => {
    inVirtualTime(({ at }) => {
      const inFlight = new InFlight();
      const limits = { timeoutMs: 100, maxTotalMs: 0 };
      const [own, other] = [running(limits, 0), running(limits, '0')];
      inFlight.add(other.request);
      inFlight.add(own.request);
      const seen = watch(inFlight.during(QUESTION, NEVER, UNWANTED, 0));
      expect([own.events, other.events]).toEqual([[QUESTION], []]);
      at(5_000, () => {
        expect(other.expired).toEqual([]);
        inFlight.delete(own.request);
        expect([seen.values, seen.completed]).toEqual([[UNWANTED], true]);
      });
      at(5_101, () => expect(other.expired).toEqual([100]));
    });
  });

  it('may be for any where the request on whose channel it came is over', () => {
    const inFlight = new InFlight();
    const { request, events } = running(undefined, 1);
    inFlight.add(request);
    const seen = watch(inFlight.during(QUESTION, NEVER, UNWANTED, 2));
    expect(events).toEqual([QUESTION]);
    inFlight.delete(request);
    expect(seen.values).toEqual([UNWANTED]);
  });

  it('goes on where one of them was answered', () => {
    const inFlight = new InFlight();
    const [one, two] = [running().request, running().request];
    inFlight.add(one);
    inFlight.add(two);
    const seen = open(inFlight);
    one.answered = true;
    inFlight.delete(one);
    inFlight.delete(two);
    expect([seen.marks, seen.state.open]).toEqual([[], true]);
  });

  it('goes on where nothing was out, or where it is answered whoever leaves', () => {
    const inFlight = new InFlight();
    const nobody = open(inFlight);
    const { request } = running();
    inFlight.add(request);
    const whoever = watch(inFlight.during(QUESTION, NEVER, undefined));
    inFlight.delete(request);
    expect([nobody.marks, whoever.marks]).toEqual([[], []]);
  });

  it('asks nobody where all that see the question leave at once', () => {
    const inFlight = new InFlight();
    let asked = 0;
    const { request, events } = running();
    const leaving: Running = {
      ...request,
      operation: {
        ...request.operation,
        events: {
          progress: () => undefined,
          log: () => undefined,
          input: (event) => {
            events.push(event);
            inFlight.delete(leaving);
            return false;
          },
        },
      },
    };
    inFlight.add(leaving);
    const hook$ = defer(() => {
      asked += 1;
      return of(ANSWER);
    });
    const seen = watch(inFlight.during(QUESTION, hook$, UNWANTED));
    expect([seen.values, seen.completed, asked]).toEqual([[UNWANTED], true, 0]);
    expect(events[0]).toEqual(QUESTION);
  });

  it('forgets who is out once it is over', () => {
    const inFlight = new InFlight();
    const { request } = running();
    inFlight.add(request);
    const seen = watch(inFlight.during(QUESTION, of(ANSWER), UNWANTED));
    inFlight.delete(request);
    expect(seen.values).toEqual([ANSWER]);
  });
});
