// What JSON cannot write was an OptionError over one wire and a TransportError over another.
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { connectStdio } from '../../src/bridge/stdio.js';
import { connectHttp, connectInMemory, EraCache, type McpClient, OptionError } from '../../src/index.js';
import { fixtureServer, record, scriptedTransport } from '../../src/testing/index.js';
import { closing, connect } from '../support/client/connect.js';
import { rejection } from '../support/client/watch.js';
import { json } from '../support/http/web.js';
import { webPeer } from '../support/http/web-peer.js';

const QUESTIONS = fileURLToPath(new URL('../support/servers/questions.mjs', import.meta.url));
const TOOLS = {
  tools: [
    {
      name: 'look',
      inputSchema: { type: 'object', properties: { x: { type: 'string', 'x-mcp-header': 'X' } } },
    },
  ],
};
const eraCache = new EraCache();
const overHttp = (era: 'modern' | 'legacy'): McpClient => {
  const url = 'https://mcp.example/mcp';
  const { fetch } = webPeer(era, ({ id, method }) =>
    method === 'tools/list' ? json({ jsonrpc: '2.0', id, result: TOOLS }) : undefined,
  );
  return closing(connectHttp({ url, fetch, eraCache, era }));
};

const WIRES: readonly (readonly [wire: string, open: () => McpClient])[] = [
  ['stdio', () => closing(connectStdio({ command: process.execPath, args: [QUESTIONS], eraCache }))],
  ['in memory', () => closing(connectInMemory(fixtureServer(), { eraCache }))],
  ['scripted', () => connect(scriptedTransport({ 'tools/list': TOOLS }), { era: 'modern' })],
  ['recorded', () => connect(record(scriptedTransport({ 'tools/list': TOOLS })), { era: 'modern' })],
  ['Streamable HTTP', () => overHttp('modern')],
  ['Streamable HTTP, legacy', () => overHttp('legacy')],
];

const cycle: Record<string, unknown> = {};
cycle['x'] = cycle;
const deep = (levels: number): object => {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
};
const throws = (): never => {
  throw new Error('not now');
};

const VALUES: readonly (readonly [what: string, value: object])[] = [
  ['a bigint', { x: 1n }],
  ['a cycle', cycle],
  ['20 000 levels', { x: deep(20_000) }],
  ['a getter that throws', Object.defineProperty({}, 'x', { enumerable: true, get: throws })],
  ['a toJSON that throws', { x: { toJSON: throws } }],
];

describe.each(WIRES)('what JSON cannot write, over %s', (_wire, open) => {
  it.each(VALUES)('is an OptionError, and the connection lives on: %s', async (_what, value) => {
    const client = open();
    await client.promises.listTools();
    const args = value as Record<string, unknown>;
    for (const failure of [
      await rejection(client.promises.callTool('look', args)),
      await rejection(client.promises.callTool('look', {}, { meta: { 'x/y': value } })),
    ]) {
      expect(failure).toBeInstanceOf(OptionError);
      expect((failure as OptionError).message).toContain('it cannot be written as JSON');
    }
    await client.promises.listTools({ refresh: true });
  });
});
