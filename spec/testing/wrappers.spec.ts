// What is put around a wire hands on all that the wire is.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { EMPTY, NEVER, type Observable, of, Subject } from 'rxjs';
import ts from 'typescript';
import { connect, type Connector, type Inbound, type Transport } from '../../src/index.js';
import { type Fault, faultyTransport, record, scriptedTransport } from '../../src/testing/index.js';
import { HandTransport } from '../support/hand-transport.js';
import { nodesOf, parse } from '../support/architecture/source-files.js';
import { watch } from '../support/client/watch.js';

/** The members of an interface of the seam, those that may be absent included. */
const membersOf = (name: string): readonly string[] => {
  const path = 'src/transport/transport.ts';
  const found = nodesOf(parse({ path, text: readFileSync(path, 'utf8') })).find(
    (node): node is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(node) && node.name.text === name,
  );
  return (found?.members ?? []).flatMap((member) => (member.name === undefined ? [] : [member.name.getText()]));
};

const faulty = (wire: Transport, ...faults: readonly Fault[]): Transport => faultyTransport(wire, { faults });

const WRAPPERS: readonly (readonly [string, (wire: Transport) => Transport])[] = [
  ['record', (wire) => record(wire)],
  ['faultyTransport', (wire) => faulty(wire)],
  ['faultyTransport that delivers twice', (wire) => faulty(wire, { kind: 'duplicate' })],
  ['faultyTransport that damages', (wire) => faulty(wire, { kind: 'corrupt' })],
];

describe.each(WRAPPERS)('%s', (_name, wrap) => {
  it('has every member that a transport may have', () => {
    const inner: Transport = Object.assign(new HandTransport(EMPTY), { warnings$: NEVER, channelOf: () => 7 });
    const members = membersOf('Transport');
    expect(members).toContain('channelOf');
    const wire = wrap(inner) as unknown as Readonly<Record<string, unknown>>;
    expect(members.filter((member) => wire[member] === undefined)).toEqual([]);
  });

  it('says on whose channel a message came', () => {
    const inner = new HandTransport();
    const came = new WeakMap<object, number>();
    const wire = wrap(Object.assign(inner, { channelOf: (message: Inbound) => came.get(message) }));
    const told: unknown[] = [];
    wire.inbound$.subscribe((message) => told.push(wire.channelOf?.(message)));
    for (const channel of [4, 5, undefined]) {
      const message: Inbound = { jsonrpc: '2.0', method: 'x-test/a' };
      if (channel !== undefined) came.set(message, channel);
      inner.inbox.next(message);
    }
    expect([...new Set(told)]).toEqual([4, 5, undefined]);
  });

  it('lets a message pass that is nested deeper than anything can be followed', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const server = scriptedTransport({ 'tools/list': { tools: [] } });
    const wire = wrap(server);
    const seen = watch(wire.inbound$);
    server.pushRaw(`{"jsonrpc":"2.0","method":"notifications/x","params":{"a":${deep}}}`);
    server.push({ method: 'notifications/y' });
    expect(seen.error).toBeUndefined();
    expect(seen.values.length).toBeGreaterThanOrEqual(2);
    await wire.close();
  });
});

it('a recorder and faults on a connector hand on every member it may have', () => {
  const connector: Connector = Object.assign((): Observable<Transport> => of(new HandTransport()), {
    identity: 'a',
    address: 'b',
    partition: 'c',
    credentials: () => ({ d: 'e' }),
    forms: true,
    retry: { attempts: 1, firstMs: 1, maxMs: 1 },
    waits$: of(false),
    reopens: false,
  });
  const members = membersOf('Connector');
  expect(members).toContain('waits$');
  for (const wrapped of [record(connector), faultyTransport(connector, { faults: [] })]) {
    expect(
      members.filter((member) => wrapped[member as keyof Connector] !== connector[member as keyof Connector]),
    ).toEqual([]);
  }
});

it.each(WRAPPERS.slice(0, 3))('a call hears its own log messages alone over %s', (_name, wrap) => {
  const inner = new HandTransport();
  const came = new WeakMap<object, number>();
  const answered = new Subject<void>();
  const say = (message: Inbound, on: number): void => {
    came.set(message, on);
    inner.inbox.next(message);
  };
  inner.delivering = (message) => {
    if (!('id' in message) || !('method' in message)) return EMPTY;
    const { id, method } = message as { id: number; method: string };
    if (method === 'tools/call')
      answered.subscribe(() => {
        say({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: id } }, id);
      });
    else {
      const capabilities = { tools: {}, logging: {} };
      const result = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities, tools: [] };
      inner.inbox.next({ jsonrpc: '2.0', id, result: { ...result, ttlMs: 0, cacheScope: 'private' } });
    }
    return EMPTY;
  };
  const wire = wrap(Object.assign(inner, { channelOf: (message: Inbound) => came.get(message) }));
  const mcp = connect(wire, { era: 'modern', logLevel: 'debug' });
  const calls = ['a', 'b'].map((name) => watch<unknown>(mcp.callTool(name, {}, { observe: 'events' })));
  answered.next();
  const heard = calls.map(({ values }) => [
    ...new Set(values.flatMap((event) => (event as { data?: unknown }).data ?? [])),
  ]);
  expect(heard.map(({ length }) => length)).toEqual([1, 1]);
  expect(heard[0]).not.toEqual(heard[1]);
  return mcp.close();
});
