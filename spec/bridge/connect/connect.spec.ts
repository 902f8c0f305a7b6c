import { describe, expect, it } from '@jest/globals';
import { NEVER, Observable } from 'rxjs';
import {
  connect as connectTo,
  McpClient,
  OptionError,
  TransportClosedError,
  TransportError,
} from '../../../src/index.js';
import type { Transport } from '../../../src/transport/index.js';
import { fixtureServer, scriptedTransport } from '../../../src/testing/index.js';
import { connect } from '../../support/client/connect.js';
import { methodsOf } from '../../support/client/scripted.js';
import { thrownBy, watch } from '../../support/client/watch.js';

describe('connect()', () => {
  it('takes an open transport, and subscribes to it at the first use only', () => {
    const server = scriptedTransport();
    let subscribed = 0;
    const inbound$ = new Observable<never>((subscriber) => {
      subscribed += 1;
      return server.inbound$.subscribe(subscriber as never);
    });
    const wire = new Proxy(server, {
      get: (target, key) => (key === 'inbound$' ? inbound$ : Reflect.get(target, key, target)),
    });
    const client = connect(wire);
    expect([client instanceof McpClient, subscribed]).toEqual([true, 0]);
    watch(client.server());
    watch(client.server());
    expect(subscribed).toBe(1);
  });

  it('takes a connector, and asks it for no form of the wire where there is one', () => {
    const forms: unknown[] = [];
    const connector = (form?: unknown): Observable<Transport> => {
      forms.push(form);
      return new Observable((subscriber) => subscriber.next(scriptedTransport()));
    };
    expect(watch(connect(connector).era()).values).toEqual(['modern']);
    expect(forms).toEqual([undefined]);
  });

  it.each([undefined, null, 'stdio', 5, {}, { inbound$: NEVER }, { send: () => NEVER }])(
    'refuses %p, which is neither',
    (wire) => {
      const thrown = thrownBy(() => connectTo(wire as never));
      expect(thrown).toBeInstanceOf(OptionError);
      expect(thrown).toHaveProperty('option', 'wire');
      expect(thrown).toHaveProperty('message', expect.stringContaining('give a Transport or a Connector'));
    },
  );

  it('has no options of its own beside those of every client', () => {
    const server = scriptedTransport();
    for (const wire of [server, () => NEVER]) {
      const thrown = thrownBy(() => connectTo(wire, { nope: 1 } as object));
      expect(thrown).toHaveProperty('message', expect.stringContaining('known are clientInfo,'));
    }
  });

  it('closes the transport it was given', async () => {
    const server = scriptedTransport();
    const client = connect(server);
    watch(client.server());
    await client.close();
    expect(server.alive).toBe(false);
  });

  it('of a transport that has ended before fails the first use', async () => {
    const closed = scriptedTransport();
    await closed.close();
    expect(watch(connect(closed).server()).error).toBeInstanceOf(TransportClosedError);
    const dead = scriptedTransport();
    dead.die(new Error('gone'));
    const { error } = watch(connect(dead).server());
    expect(error).toBeInstanceOf(TransportError);
    expect((error as TransportError).cause).toEqual(new Error('gone'));
  });

  it('wraps what a foreign transport raises when it sends, and goes on', () => {
    const server = scriptedTransport({ 'tools/call': { content: [] } });
    const fault = new Error('buffer full');
    const send = server.send.bind(server);
    let broken = true;
    server.send = (message) =>
      broken && 'method' in message && message.method === 'tools/call'
        ? new Observable((subscriber) => subscriber.error(fault))
        : send(message);
    const client = connect(server);
    const { error } = watch(client.callTool('t'));
    expect(error).toBeInstanceOf(TransportError);
    expect((error as TransportError).cause).toBe(fault);
    broken = false;
    expect(watch(client.callTool('t')).completed).toBe(true);
    expect(methodsOf(server)).toEqual(['server/discover', 'tools/call']);
  });
});

describe('connect(), of a server', () => {
  it('says what of it is a wire', () => {
    expect(thrownBy(() => connectTo(fixtureServer() as never))).toHaveProperty(
      'message',
      expect.stringContaining('its .connector'),
    );
    expect(thrownBy(() => connectTo({ connect: () => undefined } as never))).toHaveProperty(
      'message',
      expect.stringContaining('connectInMemory'),
    );
  });

  it('takes a scripted transport for one client', async () => {
    const server = scriptedTransport({ 'tools/list': { tools: [] } });
    const [first, second] = [connect(server), connect(server)];
    expect(watch(first.listTools()).values).toEqual([[]]);
    expect(String(watch(second.listTools()).error)).toContain('one life of a wire, for one client');
  });
});
