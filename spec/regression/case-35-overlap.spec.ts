import { describe, expect, it } from '@jest/globals';
import { type AddOptions, type BatchOptions, type ClientOptions, type McpClient, Registry } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { sentTo } from '../support/client/scripted.js';
import { watch } from '../support/client/watch.js';

/** A server that answers no call: what it was sent is what may be in flight at a time. */
const silent = (annotations: object) =>
  scriptedTransport({
    'tools/list': { tools: [{ name: 'look', inputSchema: { type: 'object' }, annotations }] },
    'tools/call': scriptedTransport.silence,
  });

const BOTH = { readOnlyHint: true, idempotentHint: true };
const READ = { readOnlyHint: true };

const calls = [1, 2, 3, 4, 5, 6].map((n) => ({ id: String(n), name: 'look', arguments: { n } }));

interface Given {
  readonly client?: ClientOptions;
  readonly batch?: BatchOptions;
}

/** How many of six calls are in flight at once. */
const inFlight = async (annotations: object, { client = {}, batch = {} }: Given = {}): Promise<number> => {
  const server = silent(annotations);
  const one: McpClient = connect(server, client);
  await one.promises.listTools();
  const { subscription } = watch(one.executeToolCalls(calls, batch));
  subscription.unsubscribe();
  return sentTo(server, 'tools/call').length;
};

const inRegistry = async (
  annotations: object,
  mount: Partial<AddOptions>,
  batch: BatchOptions = {},
): Promise<number> => {
  const server = silent(annotations);
  const one = connect(server);
  await one.promises.listTools();
  const registry = new Registry().add(one, { prefix: 'a', ...mount });
  const asked = calls.map((call) => ({ ...call, name: `a_${call.name}` }));
  watch(registry.executeToolCalls(asked, batch)).subscription.unsubscribe();
  return sentTo(server, 'tools/call').length;
};

describe('case 35: safe calls beside each other, and who forbids it', () => {
  it('run four at a time where a server says that they may', async () => {
    expect(await inFlight(BOTH)).toBe(4);
    expect(await inFlight(READ)).toBe(1);
    expect(await inFlight({})).toBe(1);
  });

  it('run as many at a time as the client is told', async () => {
    expect(await inFlight(BOTH, { client: { toolConcurrency: 2 } })).toBe(2);
    expect(await inFlight(READ, { client: { overlap: 'read-only' } })).toBe(4);
    expect(await inFlight(BOTH, { client: { overlap: 'never' } })).toBe(1);
    expect(await inFlight(BOTH, { client: { trustAnnotations: 'none' } })).toBe(1);
  });

  it('run as many at a time as the batch is told, whatever the client was', async () => {
    expect(await inFlight(BOTH, { client: { toolConcurrency: 2 }, batch: { toolConcurrency: 6 } })).toBe(6);
    expect(await inFlight(BOTH, { batch: { overlap: 'never' } })).toBe(1);
    expect(await inFlight({}, { batch: { overlap: () => true } })).toBe(4);
  });

  it('run as each server of a registry was added, and else as the batch is told', async () => {
    expect(await inRegistry(BOTH, {})).toBe(4);
    expect(await inRegistry(BOTH, { overlap: 'never' })).toBe(1);
    expect(await inRegistry(BOTH, { toolConcurrency: 3 })).toBe(3);
    expect(await inRegistry(READ, { overlap: 'read-only', toolConcurrency: 2 })).toBe(2);
    expect(await inRegistry(READ, {}, { overlap: 'read-only' })).toBe(4);
    expect(await inRegistry(BOTH, { toolConcurrency: 2 }, { toolConcurrency: 6 })).toBe(2);
  });
});
