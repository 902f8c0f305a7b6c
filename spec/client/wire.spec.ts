import { describe, expect, it } from '@jest/globals';
import { NEVER, Observable, of, Subject, type Subscriber } from 'rxjs';
import { NetworkError, TransportClosedError, TransportError } from '../../src/errors/index.js';
import { Wire, type WireOwner } from '../../src/client/wire.js';
import { Channels, type Session } from '../../src/session/index.js';
import type { Connector, Transport } from '../../src/transport/index.js';

const transport = (): Transport => ({
  inbound$: NEVER,
  send: () => NEVER,
  cancelBy: 'notice',
  mirrorsHeaders: false,
  alive: true,
  close: () => Promise.resolve(),
});

/** A wire that is opened on a connector, and everything that is heard of it. */
const opened = (connector: Connector) => {
  const heard: unknown[] = [];
  const owner: WireOwner = {
    channels: new Channels(),
    handlers: new Map(),
    opened: () => heard.push('opened'),
    failed: (reason) => heard.push(['failed', reason]),
    ended: (_, reason) => heard.push(['ended', reason]),
    release: (released) => heard.push(['released', released]),
  };
  const wires: Wire[] = [];
  const opening = new Observable<Session>((subscriber) => {
    const wire = new Wire(owner, subscriber);
    wires.push(wire);
    wire.open(connector, undefined);
  }).subscribe({
    next: () => heard.push('session'),
    error: (reason: unknown) => heard.push(['refused', reason]),
    complete: () => heard.push('complete'),
  });
  return { heard, opening, wire: wires[0] as Wire };
};

/** A connector that is driven by hand, and says whether it is subscribed to. */
const driven = () => {
  const held: { by: Subscriber<Transport> | undefined } = { by: undefined };
  const connector: Connector = () =>
    new Observable((subscriber) => {
      held.by = subscriber;
      return () => {
        held.by = undefined;
      };
    });
  return { held, connector };
};

describe('Wire', () => {
  it('is closed by who opens it, until it is kept', () => {
    const { held, connector } = driven();
    const { heard, opening, wire } = opened(connector);
    const made = transport();
    held.by?.next(made);
    opening.unsubscribe();
    expect(held.by).toBeUndefined();
    expect(wire.session?.end?.reason).toBeInstanceOf(TransportClosedError);
    expect(heard).toEqual(['opened', 'session', ['released', made]]);
  });

  it('outlives its opening once it is kept, and is closed once', () => {
    const { held, connector } = driven();
    const { heard, opening, wire } = opened(connector);
    const made = transport();
    held.by?.next(made);
    wire.keep();
    opening.unsubscribe();
    expect(held.by).toBeDefined();
    expect(wire.session?.end).toBeUndefined();
    wire.unsubscribe();
    wire.unsubscribe();
    expect(held.by).toBeUndefined();
    expect(heard).toEqual(['opened', 'session', ['released', made]]);
  });

  it('tells the end of its session to who watches, also one that came before', () => {
    const { held, connector } = driven();
    const { heard, wire } = opened(connector);
    held.by?.next(transport());
    wire.keep();
    const reason = new TransportClosedError();
    wire.session?.close(reason);
    expect(heard).toEqual(['opened', 'session']);
    wire.watch();
    expect(heard.at(-1)).toEqual(['ended', reason]);
  });

  it('errors with what the connector raised while it is opened, and tells the owner of what comes later', () => {
    const early = driven();
    const one = opened(early.connector);
    early.held.by?.error(new Error('no such thing'));
    expect(one.heard).toEqual([['refused', new TransportError(new Error('no such thing'))]]);
    const late = driven();
    const other = opened(late.connector);
    const made = transport();
    late.held.by?.next(made);
    other.wire.keep();
    const reason = new NetworkError('http://127.0.0.1', new Error('gone'), true);
    late.held.by?.error(reason);
    expect(other.heard).toEqual(['opened', 'session', ['failed', reason], ['released', made]]);
  });

  it('completes where the connector has no transport to give, and only there', () => {
    expect(opened(() => new Observable((subscriber) => subscriber.complete())).heard).toEqual(['complete']);
    expect(opened(() => of(transport())).heard).toEqual(['opened', 'session']);
  });

  it('is what the connector gave last, and nobody else is left open', () => {
    const given = new Subject<Transport>();
    const { heard, wire } = opened(() => given);
    const [one, two, three] = [transport(), transport(), transport()];
    given.next(one);
    const first = wire.session;
    given.next(two);
    expect(first?.end).toBeDefined();
    expect(wire.session?.transport).toBe(two);
    wire.keep();
    given.next(three);
    expect(heard).toEqual([
      'opened',
      'session',
      ['released', one],
      'opened',
      'session',
      ['released', two],
      ['released', three],
    ]);
  });
});
