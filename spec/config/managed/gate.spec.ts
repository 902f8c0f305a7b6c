import { describe, expect, it } from '@jest/globals';
import { EMPTY, NEVER, Observable, throwError } from 'rxjs';
import { Gate } from '../../../src/config/managed/gate.js';
import { ServerGoneError, TransportClosedError } from '../../../src/errors/index.js';
import type { Connector, Transport, WireForm } from '../../../src/transport/index.js';
import { type StdioTransport, stdioConnector } from '../../../src/transport/stdio/index.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';
import { isRunning, peer } from '../../support/child-processes.js';
import { HandTransport } from '../../support/hand-transport.js';

const GONE = new ServerGoneError(1, null, 'x', '');

/** A gate before lives that are counted. */
const gated = () => {
  const forms: (WireForm | undefined)[] = [];
  const open = new Set<Transport>();
  const lives: Connector = (form) =>
    new Observable<Transport>((subscriber) => {
      forms.push(form);
      const transport = new HandTransport();
      open.add(transport);
      subscriber.add(() => open.delete(transport));
      subscriber.next(transport);
    });
  const gate = new Gate(lives);
  return { gate, forms, open };
};

describe('a gate', () => {
  it('passes for what it stands before, but a wire that may always be opened again', () => {
    const inner: Connector = Object.assign(() => EMPTY, {
      identity: 'i',
      address: 'a',
      partition: 'p',
      forms: true,
      retry: { attempts: 1, firstMs: 1, maxMs: 1 },
      waits$: NEVER,
      reopens: false,
    });
    expect({ ...new Gate(inner).connector }).toEqual({ ...inner, reopens: true });
  });

  it('opens at once, within the call, in the form that is asked for; a life for each subscriber', () => {
    const { gate, forms, open } = gated();
    const life$ = gate.connector('legacy');
    expect(forms).toEqual([]);
    const seen = [watch(life$), watch(life$)];
    expect(forms).toEqual(['legacy', 'legacy']);
    expect(seen.map(({ values }) => values.length)).toEqual([1, 1]);
    seen[0]?.subscription.unsubscribe();
    expect(open.size).toBe(1);
  });

  it('begins no life before the moment it is told, and one then', () => {
    inVirtualTime(({ at }) => {
      const { gate, open } = gated();
      gate.holdFor(500);
      const seen = watch(gate.connector());
      at(499, () => expect(open.size).toBe(0));
      at(501, () => {
        expect(seen.marks.map(([when]) => when)).toEqual([500]);
        watch(gate.connector());
        expect(open.size).toBe(2);
      });
    });
  });

  it('begins none for who does not wait that long', () => {
    inVirtualTime(({ at }) => {
      const { gate, open } = gated();
      gate.holdFor(500);
      const seen = watch(gate.connector());
      at(400, () => seen.subscription.unsubscribe());
      at(600, () => expect(open.size).toBe(0));
    });
  });

  it('that is barred has the first reason for everybody, those who wait as well', () => {
    inVirtualTime(({ at }) => {
      const { gate, open } = gated();
      gate.holdFor(500);
      const seen = watch(gate.connector());
      at(100, () => {
        gate.bar(GONE);
        gate.bar(new TransportClosedError());
      });
      at(600, () => {
        expect(seen.error).toBe(GONE);
        expect(watch(gate.connector()).error).toBe(GONE);
        expect(open.size).toBe(0);
      });
    });
  });

  it('that is barred leaves the wire that is open', () => {
    const { gate, open } = gated();
    const seen = watch(gate.connector());
    gate.bar(GONE);
    expect([seen.error, open.size]).toEqual([undefined, 1]);
  });

  it('gives up what is open, or is waited for, and opens again for the next', () => {
    inVirtualTime(({ at }) => {
      const { gate, open } = gated();
      const seen = watch(gate.connector());
      gate.abandon(GONE);
      expect([seen.error, open.size]).toEqual([GONE, 0]);
      gate.holdFor(500);
      const waiting = watch(gate.connector());
      at(100, () => {
        gate.abandon(GONE);
        expect(waiting.error).toBe(GONE);
      });
      at(600, () => {
        expect(watch(gate.connector()).values).toHaveLength(1);
        expect(open.size).toBe(1);
      });
    });
  });

  it('gives up an opening that hangs', () => {
    const gate = new Gate(() => NEVER);
    const seen = watch(gate.connector());
    gate.abandon(GONE);
    expect(seen.error).toBe(GONE);
  });

  it('errors as what it stands before does, also where that throws', () => {
    expect(watch(new Gate(() => throwError(() => GONE)).connector()).error).toBe(GONE);
    const throwing = new Gate(() => {
      throw GONE;
    });
    expect(watch(throwing.connector()).error).toBe(GONE);
  });

  it('knows no process behind a wire that has none', () => {
    const { gate } = gated();
    expect(gate.pid).toBeUndefined();
    watch(gate.connector());
    expect(gate.pid).toBeUndefined();
    expect(() => {
      gate.killNow();
    }).not.toThrow();
  });
});

describe('the process behind a gate', () => {
  const start = async (gate: Gate) => {
    let close: () => void = () => undefined;
    const transport = await new Promise<StdioTransport>((resolve, reject) => {
      const life = gate.connector().subscribe({
        next: (opened) => {
          resolve(opened as StdioTransport);
        },
        error: reject,
      });
      close = () => {
        life.unsubscribe();
      };
    });
    transport.inbound$.subscribe({ error: () => undefined });
    return { transport, close };
  };

  it('is known as long as its wire is open', async () => {
    const gate = new Gate(stdioConnector(peer('echo')));
    const { transport, close } = await start(gate);
    expect(gate.pid).toBe(transport.pid);
    close();
    expect(gate.pid).toBeUndefined();
    await transport.close();
  });

  it('can be ended at once', async () => {
    const gate = new Gate(stdioConnector(peer('echo')));
    const { transport, close } = await start(gate);
    const died = new Promise((resolve) => {
      transport.stderr$.subscribe({
        complete: () => {
          resolve(undefined);
        },
      });
    });
    gate.killNow();
    await died;
    expect(isRunning(transport.pid)).toBe(false);
    close();
    await transport.close();
  });

  it('can be ended at once while its grace still lasts, too', async () => {
    // It would not end by itself for as long as nobody waits.
    const gate = new Gate(stdioConnector({ ...peer('deaf'), killGraceMs: 60_000 }));
    const { transport, close } = await start(gate);
    close();
    const closed = transport.close();
    gate.killNow();
    await closed;
    expect(isRunning(transport.pid)).toBe(false);
  });
});
