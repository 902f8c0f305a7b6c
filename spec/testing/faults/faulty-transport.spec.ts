import { describe, expect, it } from '@jest/globals';
import { EMPTY, firstValueFrom, Observable, of, VirtualTimeScheduler } from 'rxjs';
import {
  OptionError,
  ServerGoneError,
  TimeoutError,
  TransportClosedError,
  TransportError,
} from '../../../src/errors/index.js';
import type { Connector, Inbound, Outbound } from '../../../src/index.js';
import {
  type FaultPlan,
  faultyTransport,
  type FaultStrike,
  fixtureServer,
  scriptedTransport,
} from '../../../src/testing/index.js';
import { HandTransport } from '../../support/hand-transport.js';
import { connect } from '../../support/client/connect.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { scriptedLives } from '../../support/client/scripted.js';
import { thrownBy, watch } from '../../support/client/watch.js';

const note = (n: number): Inbound => ({ jsonrpc: '2.0', method: 'x-test/n', params: { n } });
const numberOf = (message: object): unknown => (message as { params?: { n?: unknown } }).params?.n ?? 'junk';
const ignore = { error: () => undefined };

/** A wire worked by hand with faults on it. */
const faulty = (...faults: FaultPlan['faults']) => {
  const inner = new HandTransport();
  const strikes: FaultStrike[] = [];
  const wire = faultyTransport(inner, { faults, onFault: (strike) => strikes.push(strike) });
  const seen = watch(wire.inbound$);
  return { inner, wire, seen, strikes, numbers: () => seen.values.map(numberOf) };
};

const say = (inner: HandTransport, ...numbers: readonly number[]): void => {
  for (const n of numbers) inner.inbox.next(note(n));
};

describe('faultyTransport, inbound', () => {
  it('changes nothing without a fault, and is what its inner transport is', () => {
    const { inner, wire, numbers } = faulty();
    say(inner, 1, 2, 3);
    expect(numbers()).toEqual([1, 2, 3]);
    expect([wire.cancelBy, wire.mirrorsHeaders, wire.alive]).toEqual(['notice', false, true]);
  });

  it('drops the messages it is told to', () => {
    const { inner, numbers } = faulty({ kind: 'drop', at: [1, 3] });
    say(inner, 1, 2, 3, 4);
    expect(numbers()).toEqual([2, 4]);
  });

  it('drops those that a function picks, which is told the message and its place', () => {
    const asked: unknown[] = [];
    const at = (message: object, nth: number): boolean => asked.push([numberOf(message), nth]) === 2;
    const { inner, numbers } = faulty({ kind: 'drop', at });
    say(inner, 7, 8, 9);
    expect([numbers(), asked]).toEqual([
      [7, 9],
      [
        [7, 1],
        [8, 2],
        [9, 3],
      ],
    ]);
  });

  it('says a message twice', () => {
    const { inner, numbers } = faulty({ kind: 'duplicate', at: 2 });
    say(inner, 1, 2, 3);
    expect(numbers()).toEqual([1, 2, 2, 3]);
  });

  it('lets the next messages pass, as many as it is told', () => {
    const { inner, numbers } = faulty({ kind: 'reorder', at: 1, by: 2 });
    say(inner, 1, 2, 3, 4);
    expect(numbers()).toEqual([2, 3, 1, 4]);
  });

  it('waits no longer than it is told for a message to pass', () => {
    inVirtualTime(({ at, now }) => {
      const { inner, seen } = faulty({ kind: 'reorder', at: 1, ms: 30 });
      say(inner, 1);
      at(29, () => expect(seen.values).toEqual([]));
      at(31, () => expect([seen.values.map(numberOf), now()]).toEqual([[1], 31]));
    });
  });

  it('delays a message and what is behind it, and keeps their order', () => {
    inVirtualTime(({ at }) => {
      const { inner, seen } = faulty({ kind: 'delay', at: 2, ms: 50 });
      say(inner, 1, 2);
      at(20, () => say(inner, 3));
      at(60, () => {
        expect(seen.marks.map(([when, what]) => [when, numberOf(what as object)])).toEqual([
          [0, 1],
          [50, 2],
          [50, 3],
        ]);
      });
    });
  });

  it('takes its time from the scheduler it is given', () => {
    const scheduler = new VirtualTimeScheduler();
    const inner = new HandTransport();
    const seen = watch(faultyTransport(inner, { faults: [{ kind: 'delay' }], scheduler }).inbound$);
    say(inner, 1);
    expect(seen.values).toEqual([]);
    scheduler.flush();
    expect([seen.values.map(numberOf), scheduler.now()]).toEqual([[1], 100]);
  });

  it('makes junk of a message by ending it early, never an error', () => {
    const { inner, seen } = faulty({ kind: 'truncate', at: 1 });
    say(inner, 1, 2);
    expect(seen.values).toEqual([{ invalid: 'not JSON', excerpt: expect.any(String) }, note(2)]);
  });

  it('changes one character of a message, at whatever place', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const inner = new HandTransport();
      const seen = watch(faultyTransport(inner, { faults: [{ kind: 'corrupt' }], seed }).inbound$);
      say(inner, 1);
      expect([seen.values.length, seen.error]).toEqual([1, undefined]);
      expect(seen.values[0]).not.toEqual(note(1));
    }
  });

  it('dies in place of a message, closes the inner transport, and says so once', () => {
    const { inner, wire, seen, numbers } = faulty({ kind: 'cut', at: 2 });
    say(inner, 1, 2, 3);
    expect([numbers(), seen.error, wire.alive, inner.closed]).toEqual([[1], expect.any(TransportError), false, 1]);
  });

  it('dies of the reason it is given', () => {
    const reason = new ServerGoneError(1, null, 'server', '');
    const { inner, seen } = faulty({ kind: 'cut', reason });
    say(inner, 1);
    expect(seen.error).toBe(reason);
  });

  it('ends as the inner transport does, after what came before, held back or not', () => {
    inVirtualTime(({ at }) => {
      const { inner, seen } = faulty({ kind: 'delay', at: 1, ms: 10 }, { kind: 'reorder', at: 2 });
      say(inner, 1, 2);
      inner.inbox.error(new TransportError('gone'));
      at(11, () => {
        expect([seen.values.map(numberOf), seen.error]).toEqual([[1, 2], expect.any(TransportError)]);
      });
    });
  });

  it('loses what is on its way when it is closed, and leaves no timer', async () => {
    const { inner, wire, seen } = faulty({ kind: 'delay' }, { kind: 'reorder' });
    say(inner, 1, 2);
    await wire.close();
    await wire.close();
    expect([seen.values, seen.completed, inner.alive]).toEqual([[], true, false]);
  });
});

describe('faultyTransport, outbound', () => {
  const ping = (id: number): Outbound => ({ jsonrpc: '2.0', id, method: 'x-test/ping', params: {} });
  const out = (kind: 'delay' | 'drop' | 'duplicate' | 'reorder' | 'corrupt' | 'truncate' | 'cut', more: object = {}) =>
    faulty({ kind, direction: 'out', ...more });
  const idsOf = ({ sent }: HandTransport): unknown[] =>
    sent.map((message) => ('id' in message ? message.id : undefined));

  it('sends nothing before it is subscribed to, and then what its inner transport sends, with its hints', () => {
    const { inner, wire } = faulty();
    const sending$ = wire.send(ping(1), { headers: { a: 'b' } });
    expect(inner.sent).toEqual([]);
    expect(watch(sending$).completed).toBe(true);
    expect([inner.sent, inner.hints]).toEqual([[ping(1)], [{ headers: { a: 'b' } }]]);
  });

  it('counts each direction by itself', () => {
    const { inner, wire, numbers } = out('drop', { at: 2 });
    say(inner, 1, 2, 3);
    wire.send(ping(1)).subscribe(ignore);
    wire.send(ping(2)).subscribe(ignore);
    expect([numbers(), idsOf(inner)]).toEqual([[1, 2, 3], [1]]);
  });

  it('says of a message that was dropped, or truncated, that it was sent', () => {
    for (const kind of ['drop', 'truncate'] as const) {
      const { inner, wire } = out(kind);
      expect(watch(wire.send(ping(1))).completed).toBe(true);
      expect(inner.sent).toEqual([]);
    }
  });

  it('duplicates, and lets others pass', () => {
    const twice = out('duplicate');
    twice.wire.send(ping(1)).subscribe(ignore);
    expect(idsOf(twice.inner)).toEqual([1, 1]);
    const late = out('reorder', { at: 1 });
    late.wire.send(ping(1)).subscribe(ignore);
    late.wire.send(ping(2)).subscribe(ignore);
    expect(idsOf(late.inner)).toEqual([2, 1]);
  });

  it('does not send a message any more that was given up while it was delayed', () => {
    inVirtualTime(({ at }) => {
      const { inner, wire } = out('delay', { ms: 10 });
      const given = watch(wire.send(ping(1)));
      watch(wire.send(ping(2)));
      given.subscription.unsubscribe();
      at(11, () => expect(idsOf(inner)).toEqual([2]));
    });
  });

  it('fails everything that is on its way when the wire dies, and what is sent afterwards', () => {
    const { inner, wire, seen } = out('cut', { at: 2 });
    inner.delivering = () => new Observable(() => undefined);
    const first = watch(wire.send(ping(1)));
    const second = watch(wire.send(ping(2)));
    const third = watch(wire.send(ping(3)));
    expect(first.error).toBe(seen.error);
    expect(second.error).toBe(seen.error);
    expect([seen.error, third.error]).toEqual([expect.any(TransportError), expect.any(TransportClosedError)]);
    expect(idsOf(inner)).toEqual([1]);
  });

  it('releases its inner channel when it is unsubscribed', () => {
    const { inner, wire } = faulty();
    let released = 0;
    inner.delivering = () => new Observable(() => () => (released += 1));
    watch(wire.send(ping(1))).subscription.unsubscribe();
    expect(released).toBe(1);
  });
});

describe('a plan of faults', () => {
  it('strikes the same messages for the same seed, and others for another', () => {
    const dropped = (seed: number): unknown[] => {
      const inner = new HandTransport();
      const seen = watch(faultyTransport(inner, { faults: [{ kind: 'drop', chance: 0.5 }], seed }).inbound$);
      say(inner, ...Array.from({ length: 64 }, (_, n) => n));
      return seen.values.map(numberOf);
    };
    expect(dropped(3)).toEqual(dropped(3));
    expect(dropped(3)).not.toEqual(dropped(4));
    expect(dropped(3).length).toBeGreaterThan(16);
    expect(dropped(3).length).toBeLessThan(48);
  });

  it.each([
    ['beyond 32 bits', 3, 3 + 2 ** 32],
    ['far beyond', 2 ** 33, 2 ** 34],
    ['below zero', -1, 2 ** 32 - 1],
  ])('strikes others for a seed %s', (_what, ...seeds) => {
    const strikes = seeds.map((seed) => {
      const inner = new HandTransport();
      const seen = watch(faultyTransport(inner, { faults: [{ kind: 'drop', chance: 0.5 }], seed }).inbound$);
      say(inner, ...Array.from({ length: 64 }, (_, n) => n));
      return seen.values.map(numberOf);
    });
    expect(strikes[0]).not.toEqual(strikes[1]);
  });

  const reason = new Error('an assertion of mine');
  const throwing = (): never => {
    throw reason;
  };

  it.each<readonly [string, FaultPlan]>([
    ['an at', { faults: [{ kind: 'drop', at: throwing }] }],
    ['onFault', { faults: [{ kind: 'delay' }], onFault: throwing }],
  ])('that throws in %s ends the wire by what was thrown, of a message that comes in', (_what, plan) => {
    const inner = new HandTransport();
    const wire = faultyTransport(inner, plan);
    const seen = watch(wire.inbound$);
    say(inner, 1);
    expect(seen.error).toBeInstanceOf(TransportError);
    expect((seen.error as Error).cause).toBe(reason);
    expect([wire.alive, inner.closed]).toEqual([false, 1]);
  });

  it('that throws fails a message on its way out, and lets the wire be', () => {
    const inner = new HandTransport();
    const wire = faultyTransport(inner, { faults: [{ kind: 'drop', direction: 'out', at: throwing }] });
    expect(watch(wire.send({ jsonrpc: '2.0', method: 'x-test/a' })).error).toBe(reason);
    expect([wire.alive, inner.sent]).toEqual([true, []]);
  });

  it('fails a message that comes late to a wire which throws at it', () => {
    inVirtualTime(({ at }) => {
      const inner = new HandTransport();
      inner.delivering = throwing;
      const wire = faultyTransport(inner, { faults: [{ kind: 'delay', direction: 'out', ms: 20 }] });
      const sent = watch(wire.send({ jsonrpc: '2.0', method: 'x-test/a' }));
      at(30, () => expect(sent.error).toBe(reason));
    });
  });

  it('tells of each fault as it happens', () => {
    const { inner, strikes } = faulty({ kind: 'duplicate', at: 2 }, { kind: 'drop', at: 2 });
    say(inner, 1, 2);
    const common = { direction: 'in', nth: 2, message: note(2) };
    expect(strikes).toEqual([
      { kind: 'duplicate', ...common },
      { kind: 'drop', ...common },
    ]);
  });

  it.each([
    [undefined, 'plan'],
    [{}, 'faults'],
    [{ faults: {} }, 'faults'],
    [{ faults: [], sed: 1 }, 'sed'],
    [{ faults: [], seed: 0.5 }, 'seed'],
    [{ faults: [], scheduler: {} }, 'scheduler'],
    [{ faults: [], onFault: 1 }, 'onFault'],
    [{ faults: [1] }, 'faults.0'],
    [{ faults: [{}] }, 'faults.0.kind'],
    [{ faults: [{ kind: 'drop' }, { kind: 'explode' }] }, 'faults.1.kind'],
    [{ faults: [{ kind: 'drop', at: 0 }] }, 'faults.0.at'],
    [{ faults: [{ kind: 'drop', at: [] }] }, 'faults.0.at'],
    [{ faults: [{ kind: 'drop', chance: 2 }] }, 'faults.0.chance'],
    [{ faults: [{ kind: 'drop', direction: 'up' }] }, 'faults.0.direction'],
    [{ faults: [{ kind: 'reorder', by: 0 }] }, 'faults.0.by'],
    [{ faults: [{ kind: 'delay', ms: -1 }] }, 'faults.0.ms'],
    [{ faults: [{ kind: 'drop', when: 1 }] }, 'faults.0.when'],
    // eslint-disable-next-line no-sparse-arrays -- a hole is no fault
    [{ faults: [,] }, 'faults.0'],
    // eslint-disable-next-line no-sparse-arrays -- nor a place
    [{ faults: [{ kind: 'drop', at: [98, , 99] }] }, 'faults.0.at'],
    [{ faults: [{ kind: 'drop', ms: 5 }] }, 'faults.0.ms'],
    [{ faults: [{ kind: 'cut', ms: 5 }] }, 'faults.0.ms'],
    [{ faults: [{ kind: 'delay', by: 2 }] }, 'faults.0.by'],
    [{ faults: [{ kind: 'drop', reason: null }] }, 'faults.0.reason'],
  ])('%j is refused by the name %s', (plan, option) => {
    const refused = thrownBy(() => faultyTransport(new HandTransport(), plan as FaultPlan));
    expect(refused).toBeInstanceOf(OptionError);
    expect(refused).toMatchObject({ option });
  });

  it('is refused without a wire', () => {
    expect(thrownBy(() => faultyTransport({} as Connector, { faults: [] }))).toMatchObject({ option: 'inner' });
  });
});

describe('a client over a faulty wire', () => {
  it('times out where the answer is lost', () => {
    inVirtualTime(({ at }) => {
      const server = scriptedTransport({ 'tools/call': { content: [] } });
      const lost = (message: object): boolean => 'id' in message && message.id === 2;
      const mcp = connect(faultyTransport(server, { faults: [{ kind: 'drop', at: lost }] }), { era: 'modern' });
      const call = watch(mcp.callTool('a'));
      at(60_000, () => expect(call.error).toEqual(new TimeoutError('tools/call', 2, 60_000)));
    });
  });

  it('has one result of an answer that comes twice, and a warning', () => {
    const server = scriptedTransport({ 'tools/call': { content: [] } });
    const mcp = connect(faultyTransport(server, { faults: [{ kind: 'duplicate' }] }), { era: 'modern' });
    const warnings = watch(mcp.warnings$);
    const call = watch(mcp.callTool('a'));
    expect([call.values.length, call.completed]).toEqual([1, true]);
    expect(warnings.values.map(({ kind }) => kind)).toEqual(['unmatched-answer', 'unmatched-answer']);
  });

  it('opens another life of a connector, whose faults go on counting', () => {
    const lives = scriptedLives(() => scriptedTransport({ 'tools/list': { tools: [] } }));
    const wire = faultyTransport(Object.assign(lives, { identity: 'lives' }), {
      faults: [{ kind: 'cut', direction: 'out', at: 3 }],
    });
    expect(wire.identity).toBe('lives');
    const mcp = connect(wire, { era: 'modern', cache: false });
    expect(watch(mcp.listTools()).completed).toBe(true);
    expect(watch(mcp.listTools()).completed).toBe(true);
    expect(lives.opened.length).toBe(2);
  });

  it('is told where a connector fails', async () => {
    const wire = faultyTransport(() => EMPTY, { faults: [] });
    await expect(firstValueFrom(wire(), { defaultValue: 'nothing' })).resolves.toBe('nothing');
    expect(watch(faultyTransport(() => of(new HandTransport()), { faults: [] })()).completed).toBe(true);
  });
});

describe('faultyTransport, of a server', () => {
  it('says what of it is a wire', () => {
    expect(thrownBy(() => faultyTransport(fixtureServer() as never, { faults: [] }))).toMatchObject({
      option: 'inner',
      message: expect.stringContaining('its .connector'),
    });
  });
});
