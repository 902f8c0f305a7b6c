import { afterEach, describe, expect, it } from '@jest/globals';
import { config, filter, share, tap } from 'rxjs';
import { TransportClosedError } from '../../src/errors/index.js';
import { isInvalid, type Inbound, type Outbound, type RequestId } from '../../src/jsonrpc/index.js';
import type { Connector, Transport } from '../../src/transport/index.js';
import { isOfHarness, openLife, Reader, sending, type Life } from './reader.js';

/** How the contract reaches one kind of transport. */
export interface TransportHarness {
  /** Opens a wire to a fresh echo peer (`spec/support/echo-peer.mjs`) for each life. */
  readonly connector: Connector;
  /** What `inbound$` errors with when the peer dies; absent where nothing outlives a message that could die. */
  readonly death?: (new (...facts: never[]) => Error) | undefined;
  /**
   * How many wires there are. `'one'` (the default) carries all that is said, both ways. With `'one in'` each message goes
   * out on a wire of its own, and what comes in shares one. With `'many'` the answer to a message, and whatever else
   * the peer says because of it, comes on the message's own wire; losing that is `lost`, and the others live on.
   */
  readonly wires?: 'one' | 'one in' | { readonly lost: new (...facts: never[]) => Error } | undefined;
  /** Brings a life to where the peer can be spoken to. Its requests have ids that begin with `harness:`. */
  readonly prepare?: ((transport: Transport) => Promise<unknown>) | undefined;
  /** Resolves when what the peer is about to be asked to say has arrived. Called before asking. Default: at once. */
  readonly arrival?: ((transport: Transport) => Promise<unknown>) | undefined;
  /** A wire to a peer that never reads, so that a large message stays undelivered; where there is such a thing. */
  readonly deaf?: { readonly connector: Connector; readonly kill: (transport: Transport) => unknown } | undefined;
}

const echo = (id: RequestId, params: Readonly<Record<string, unknown>> = {}): Outbound => ({
  jsonrpc: '2.0',
  id,
  method: 'x-test/echo',
  params,
});

const die: Outbound = { jsonrpc: '2.0', method: 'x-test/die' };

const count = (n: number): string => `{"jsonrpc":"2.0","method":"x-test/count","params":{"n":${String(n)}}}`;

const counted = (messages: readonly Inbound[]): readonly unknown[] =>
  messages.flatMap((message) => ('method' in message ? [message.params?.['n']] : []));

const idsOf = (messages: readonly Inbound[]): readonly unknown[] =>
  messages.flatMap((message) => ('result' in message && !isOfHarness(message) ? [message.id] : []));

const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, index) => index);

/** What every transport keeps (`src/transport/transport.ts`), as specs. */
export const describeTransportContract = (name: string, harness: TransportHarness): void => {
  describe(`the ${name} transport keeps the transport contract:`, () => {
    const { death, wires = 'one' } = harness;
    const lives: Life[] = [];
    let said = 0;

    /** Makes the peer say something: where it can speak only in answer, by a request. */
    const say = (...texts: readonly string[]): Outbound => {
      const message = { jsonrpc: '2.0', method: 'x-test/say', params: { texts } } as const;
      if (typeof wires === 'string') return message;
      said += 1;
      return { ...message, id: `harness:say:${String(said)}` };
    };

    const open = async (connector = harness.connector): Promise<Life> => {
      const life = await openLife(connector);
      lives.push(life);
      if (connector !== harness.deaf?.connector) await harness.prepare?.(life.transport);
      return life;
    };

    const openTransport = async (connector?: Connector): Promise<Transport> => (await open(connector)).transport;

    const write = async (transport: Transport, message: Outbound): Promise<void> => {
      expect(await sending(transport, message).end).toBe('complete');
    };

    /** Writes one after the other; at once where the wire keeps their order. */
    const writeAll = async (transport: Transport, messages: readonly Outbound[]): Promise<void> => {
      if (wires === 'one') await Promise.all(messages.map((message) => write(transport, message)));
      else for (const message of messages) await write(transport, message);
    };

    afterEach(async () => {
      for (const { transport, subscription } of lives.splice(0)) {
        subscription.unsubscribe();
        await transport.close();
      }
    });

    describe('messages', () => {
      it('a request goes out under the id it was given, and its answer comes back under it', async () => {
        const transport = await openTransport();
        const reader = new Reader(transport);
        const ids: readonly RequestId[] = [0, -1, 7, '7', '', 'id with spaces', Number.MAX_SAFE_INTEGER];
        for (const id of ids) await write(transport, echo(id));
        expect(idsOf(await reader.count(ids.length))).toEqual(ids);
        expect(reader.echoes).toEqual(ids.map((id) => echo(id)));
      });

      it('what was said is heard in the order of the wire, notifications and answers alike', async () => {
        const transport = await openTransport();
        const reader = new Reader(transport);
        await writeAll(transport, [
          say(count(0), count(1)),
          echo('a'),
          say(...upTo(200).map((n) => count(n + 2))),
          echo('b'),
        ]);
        await reader.count(204);
        expect(counted(reader.messages)).toEqual(upTo(202));
        expect(
          reader.messages.map((message) => idsOf([message])[0]).flatMap((id, at) => (id ? [[id, at]] : [])),
        ).toEqual([
          ['a', 2],
          ['b', 203],
        ]);
      });

      it('what was said before anybody listened is heard by the one who comes', async () => {
        const transport = await openTransport();
        const arrived = harness.arrival?.(transport);
        await write(transport, say(count(0), count(1), count(2)));
        await arrived;
        const reader = new Reader(transport);
        expect(counted(await reader.count(3))).toEqual([0, 1, 2]);
        await write(transport, say(count(3)));
        expect(counted(await reader.count(4))).toEqual([0, 1, 2, 3]);
      });

      it('an answer that comes inside send is not lost, even if it makes the reader send again', async () => {
        const transport = await openTransport();
        const reader = new Reader(transport, (message) => {
          const id = Number(idsOf([message])[0]);
          if (id < 199)
            transport.send(echo(id + 1)).subscribe({ error: (reason: unknown) => reader.errors.push(reason) });
        });
        await write(transport, echo(0));
        expect(idsOf(await reader.count(200))).toEqual(upTo(200));
      });

      it('two listeners behind the reader see one order, even if the first sends while it reads', async () => {
        const transport = await openTransport();
        const shared$ = transport.inbound$.pipe(
          filter((message) => !isOfHarness(message)),
          share(),
        );
        const first: unknown[] = [];
        const second: unknown[] = [];
        await new Promise<void>((resolve, reject) => {
          shared$.subscribe({
            next: (message) => {
              first.push(...idsOf([message]));
              if (first.length < 3) transport.send(echo(first.length)).subscribe({ error: reject });
            },
            error: reject,
          });
          shared$.subscribe({
            next: (message) => {
              second.push(...idsOf([message]));
              if (second.length === 3) resolve();
            },
            error: reject,
          });
          transport.send(echo(0)).subscribe({ error: reject });
        });
        expect(first).toEqual([0, 1, 2]);
        expect(second).toEqual([0, 1, 2]);
      });

      it('a large message with every kind of character arrives whole, both ways', async () => {
        const transport = await openTransport();
        const reader = new Reader(transport);
        const text = '\u0000\n\r\n"\\ \u2028 é 漢 🦀 '.repeat(50_000);
        await write(transport, echo(1, { text }));
        await reader.count(1);
        expect((reader.echoes[0] as { params: { text: string } }).params.text === text).toBe(true);
      });

      it('what is no JSON-RPC message is an invalid message in its place, and the wire goes on', async () => {
        const transport = await openTransport();
        const reader = new Reader(transport);
        const junk = [
          'Listening on port 3000',
          '{',
          '42',
          '[]',
          '{"jsonrpc":"2.0"}',
          '{"jsonrpc":"2.0","id":null,"result":{}}',
        ];
        await write(transport, say(count(0), ...junk, count(1)));
        await reader.count(junk.length + 2);
        expect(reader.messages.map(isInvalid)).toEqual([false, ...junk.map(() => true), false]);
        expect(counted(reader.messages)).toEqual([0, 1]);
        expect(reader.errors).toEqual([]);
        expect(transport.alive).toBe(true);
      });

      it('an array of messages is heard as its messages, one by one', async () => {
        const transport = await openTransport();
        const reader = new Reader(transport);
        await write(transport, say(`[${count(0)},${count(1)}]`, count(2)));
        expect(counted(await reader.count(3))).toEqual([0, 1, 2]);
      });

      it('a listener that throws is reported by RxJS, and it and the others hear what comes after', async () => {
        const before = config.onUnhandledError;
        try {
          const reported = new Promise<unknown>((resolve) => {
            config.onUnhandledError = resolve;
          });
          const transport = await openTransport();
          const shared$ = transport.inbound$.pipe(share());
          const thrower: unknown[] = [];
          shared$.subscribe({
            next: (message) => {
              thrower.push(...counted([message]));
              if (thrower.length === 1) throw new Error('a listener of the application');
            },
            error: () => undefined,
          });
          const other: unknown[] = [];
          const heardAll = new Promise<void>((resolve, reject) => {
            shared$.subscribe({
              next: (message) => {
                other.push(...counted([message]));
                if (other.length === 3) resolve();
              },
              error: reject,
            });
          });
          await write(transport, say(count(0), count(1), count(2)));
          await heardAll;
          expect(await reported).toEqual(new Error('a listener of the application'));
          expect(thrower).toEqual([0, 1, 2]);
          expect(other).toEqual([0, 1, 2]);
          expect(transport.alive).toBe(true);
        } finally {
          config.onUnhandledError = before;
        }
      });
    });

    describe('send', () => {
      it('writes nothing until it is subscribed to, and once for each subscription', async () => {
        const transport = await openTransport();
        const reader = new Reader(transport);
        const cold$ = transport.send({ jsonrpc: '2.0', method: 'x-test/cold' });
        void transport.send({ jsonrpc: '2.0', method: 'x-test/never' });
        const outcomes = upTo(2).map(
          () =>
            new Promise<string>((resolve, reject) => {
              cold$.subscribe({ error: reject, complete: () => resolve('complete') });
            }),
        );
        expect(await Promise.all(outcomes)).toEqual(['complete', 'complete']);
        await write(transport, { jsonrpc: '2.0', id: 1, method: 'x-test/seen' });
        const [answer] = await reader.count(1);
        expect(answer).toMatchObject({ result: { seen: ['x-test/cold', 'x-test/cold', 'x-test/seen'] } });
      });

      it('emits nothing and completes', async () => {
        const transport = await openTransport();
        const outcome = sending(transport, echo(1));
        expect(await outcome.end).toBe('complete');
        expect(outcome.emitted).toEqual([]);
      });

      it('unsubscribed, leaves the others alone', async () => {
        const transport = await openTransport();
        const reader = new Reader(transport);
        const outcomes = upTo(3).map((id) => sending(transport, echo(id)));
        outcomes[1]?.subscription.unsubscribe();
        expect(await outcomes[0]?.end).toBe('complete');
        expect(await outcomes[2]?.end).toBe('complete');
        await reader.until(() => idsOf(reader.messages).includes(2));
        expect(idsOf(reader.messages)).toEqual(expect.arrayContaining([0, 2]));
        expect(transport.alive).toBe(true);
      });

      it('after close errors with TransportClosedError', async () => {
        const transport = await openTransport();
        await transport.close();
        expect(await sending(transport, echo(1)).end).toBeInstanceOf(TransportClosedError);
      });
    });

    if (death !== undefined) {
      describe('death', () => {
        it('errors the reader once, after everything that was said, and alive is false by then', async () => {
          const transport = await openTransport();
          const aliveAtEnd: boolean[] = [];
          const reader = new Reader(transport);
          reader.subscription.add(() => aliveAtEnd.push(transport.alive));
          expect(transport.alive).toBe(true);
          await write(transport, say(count(0), count(1)));
          transport.send(die).subscribe({ error: () => undefined });
          await reader.end();
          expect(counted(reader.messages)).toEqual([0, 1]);
          expect(reader.errors).toEqual([expect.any(death)]);
          expect(aliveAtEnd).toEqual([false]);
          await transport.close();
          expect([reader.errors.length, reader.completions]).toEqual([1, 0]);
        });

        it('that came before the reader is what the reader finds, after everything that was said', async () => {
          const transport = await openTransport();
          const arrived = harness.arrival?.(transport);
          await write(transport, say(count(0)));
          await arrived;
          transport.send(die).subscribe({ error: () => undefined });
          const reader = new Reader(transport);
          await reader.end();
          expect(counted(reader.messages)).toEqual([0]);
          expect(reader.errors).toEqual([expect.any(death)]);
        });

        it('makes every later send error with TransportClosedError', async () => {
          const transport = await openTransport();
          const reader = new Reader(transport);
          transport.send(die).subscribe({ error: () => undefined });
          await reader.end();
          expect(await sending(transport, echo(1)).end).toBeInstanceOf(TransportClosedError);
        });
      });
    }

    if (typeof wires !== 'string') {
      const { lost } = wires;

      describe('an exchange that is lost', () => {
        it('fails its own send, after everything that was said on it, and leaves the others and the wire alone', async () => {
          const transport = await openTransport();
          const reader = new Reader(transport);
          const message = { jsonrpc: '2.0', id: 'lost', method: 'x-test/lose', params: { texts: [count(0)] } } as const;
          const outcomes = [echo('a'), message, echo('b')].map((one) => sending(transport, one));
          expect(await outcomes[1]?.end).toBeInstanceOf(lost);
          expect(await outcomes[0]?.end).toBe('complete');
          expect(await outcomes[2]?.end).toBe('complete');
          expect(counted(reader.messages)).toEqual([0]);
          expect(idsOf(reader.messages)).toEqual(expect.arrayContaining(['a', 'b']));
          expect([transport.alive, reader.ended]).toEqual([true, false]);
          await write(transport, echo('c'));
          expect(idsOf(reader.messages).at(-1)).toBe('c');
        });
      });
    }

    const { deaf } = harness;
    if (deaf !== undefined) {
      const large = echo('large', { text: 'x'.repeat(8 * 1024 * 1024) });
      const failure = typeof wires === 'string' ? (death ?? Error) : wires.lost;

      describe('a peer that never reads', () => {
        it('that dies fails every send that waits', async () => {
          const transport = await openTransport(deaf.connector);
          const reader = new Reader(transport);
          const outcomes = [large, echo(1), echo(2)].map((message) => sending(transport, message));
          await deaf.kill(transport);
          if (typeof wires === 'string') await reader.end();
          for (const { end } of outcomes) expect(await end).toBeInstanceOf(failure);
          expect(reader.errors).toEqual(typeof wires === 'string' ? [expect.any(failure)] : []);
        });

        it('that is left fails every send that waits with TransportClosedError', async () => {
          const transport = await openTransport(deaf.connector);
          const outcomes = [large, echo(1), echo(2)].map((message) => sending(transport, message));
          await transport.close();
          for (const { end } of outcomes) expect(await end).toBeInstanceOf(TransportClosedError);
        });
      });
    }

    describe('close', () => {
      it('ends the life: alive is false at once, and the reader completes', async () => {
        const transport = await openTransport();
        const reader = new Reader(transport);
        await write(transport, echo(1));
        await reader.count(1);
        const closing = transport.close();
        expect(transport.alive).toBe(false);
        await closing;
        await reader.end();
        expect([reader.errors, reader.completions]).toEqual([[], 1]);
      });

      it('is done with once, however often it is called', async () => {
        const transport = await openTransport();
        const reader = new Reader(transport);
        await Promise.all([transport.close(), transport.close()]);
        await transport.close();
        await reader.end();
        expect([reader.errors, reader.completions]).toEqual([[], 1]);
      });

      it('may be called by the reader in the middle of a message', async () => {
        const transport = await openTransport();
        let closing: Promise<void> | undefined;
        const reader = new Reader(transport, () => {
          closing ??= transport.close();
        });
        transport.send(say(count(0), count(1))).subscribe({ error: () => undefined });
        await reader.end();
        await closing;
        expect([reader.errors, reader.completions]).toEqual([[], 1]);
        expect(counted(reader.messages)[0]).toBe(0);
      });

      it('completes a reader that comes only afterwards', async () => {
        const transport = await openTransport();
        await transport.close();
        const reader = new Reader(transport);
        await reader.end();
        expect([reader.errors, reader.completions]).toEqual([[], 1]);
      });
    });

    describe('the connector', () => {
      it('emits one transport and stays for the life of it', async () => {
        const events: string[] = [];
        const life = await open((form) =>
          harness
            .connector(form)
            .pipe(tap({ next: () => events.push('transport'), complete: () => events.push('complete') })),
        );
        const reader = new Reader(life.transport);
        await write(life.transport, echo(1));
        await reader.count(1);
        expect(events).toEqual(['transport']);
        await life.transport.close();
        await reader.end();
        expect(events.filter((event) => event === 'transport')).toEqual(['transport']);
      });

      it('unsubscribed, closes the life; subscribed again, begins a new one', async () => {
        const first = await open();
        const reader = new Reader(first.transport);
        await write(first.transport, { jsonrpc: '2.0', method: 'x-test/first' });
        first.subscription.unsubscribe();
        expect(first.transport.alive).toBe(false);
        await reader.end();
        expect([reader.errors, reader.completions]).toEqual([[], 1]);

        const second = await openTransport();
        expect(second === first.transport).toBe(false);
        expect(second.alive).toBe(true);
        const secondReader = new Reader(second);
        await write(second, { jsonrpc: '2.0', id: 0, method: 'x-test/seen' });
        expect(await secondReader.count(1)).toEqual([{ jsonrpc: '2.0', id: 0, result: { seen: ['x-test/seen'] } }]);
      });
    });
  });
};
