import { describe, expect, it } from '@jest/globals';
import { firstValueFrom, last, map, type Observable, toArray } from 'rxjs';
import { renderingOf } from '../../../src/bridge/render/options.js';
import { renderResult } from '../../../src/bridge/render/render.js';
import {
  type CallEvent,
  type CallToolResult,
  connectInMemory,
  type Era,
  type McpClient,
  type Tool,
} from '../../../src/index.js';
import { closing } from '../../support/client/connect.js';
import { rejection } from '../../support/client/watch.js';
import { serveToolkit } from '../../support/servers/serve-toolkit.js';
import { createParityToolkit, PARITY_CALLS } from '../../support/toolkits/parity-toolkit.js';

const toolkit = createParityToolkit();

const client = (era: Era): McpClient => closing(connectInMemory(serveToolkit(toolkit), { logLevel: 'debug', era }));

/** In the legacy revisions structured content is an object: the official server wraps what is none. */
const sameIn = (era: Era, name: string): boolean => era === 'modern' || name !== 'list';

/** What tells of the way a result came, and says nothing of it. */
const bare = ({ resultType: _type, _meta, ...result }: CallToolResult): object => {
  const meta = Object.entries(_meta ?? {}).filter(([key]) => !key.startsWith('io.modelcontextprotocol/'));
  return meta.length === 0 ? result : { ...result, _meta: Object.fromEntries(meta) };
};

const local = (name: string, args?: object): Promise<object> =>
  firstValueFrom(
    toolkit.source.call(name, args).pipe(
      last(),
      map((event) => (event.kind === 'result' ? bare(event.result) : event)),
    ),
  );

/** What a model reads of it, down to the byte: the keys of a result may come in another order. */
const read = (result: object): Promise<unknown> => {
  const rendering = renderingOf({ media: 'parts', budget: { perCall: 500 } });
  return firstValueFrom(renderResult({ tool: 't', toolCallId: '1', result: result as CallToolResult }, rendering));
};

/** Events without the numbers of one wire. */
const told = (events$: Observable<CallEvent<CallToolResult>>): Promise<unknown> =>
  firstValueFrom(
    events$.pipe(
      map((event) => {
        if (event.kind === 'result') return bare(event.result);
        if (event.kind !== 'progress') return event;
        const { requestId: _id, progressToken: _token, ...progress } = event;
        return progress;
      }),
      toArray(),
    ),
  );

describe.each(['modern', 'legacy'] as const)('the same toolkit in this process and behind a %s client', (era) => {
  it('has at least twenty tools, and calls of each', () => {
    const names = toolkit.source.listTools().map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(20);
    expect(new Set(PARITY_CALLS.map(([name]) => name))).toEqual(new Set(names));
  });

  it('lists the same tools, byte for byte', async () => {
    const { promises } = client(era);
    expect(await promises.era()).toBe(era);
    const same = (tools: readonly Tool[]): string => JSON.stringify(tools.filter(({ name }) => sameIn(era, name)));
    expect(same(await promises.listTools())).toBe(same(toolkit.source.listTools()));
  });

  const calls = PARITY_CALLS.filter(([name]) => sameIn(era, name)).map((call) => ({ call }));

  it.each(calls)('gives the same for $call', async ({ call: [name, args] }) => {
    const remote = bare(await client(era).promises.callTool(name, args));
    expect(remote).toStrictEqual(await local(name, args));
    expect(await read(remote)).toStrictEqual(await read(await local(name, args)));
  });

  it('tells the same events in the same order', async () => {
    const remote = await told(client(era).callTool('steps', { steps: 3 }, { observe: 'events' }));
    expect(remote).toStrictEqual(await told(toolkit.source.call('steps', { steps: 3 })));
    expect(remote).toHaveLength(7);
  });

  it('gives what a reader can make of structured content that is no object', async () => {
    const there = await client(era).promises.callTool('list');
    expect(await read(there)).toBe('[{"type":"cat"},{"type":"dog"}]');
    expect(await read(await local('list'))).toBe(await read(there));
  });

  it('knows no tool that is not there, in the same words', async () => {
    const there = await rejection(client(era).promises.callTool('nowhere'));
    const here = await rejection(firstValueFrom(toolkit.source.call('nowhere')));
    expect(here).toEqual(there);
    expect(here).toMatchObject({ name: 'ProtocolError', code: -32602, message: 'Tool nowhere not found' });
  });
});
