import { describe, expect, it } from '@jest/globals';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { filter, firstValueFrom, map, take, toArray } from 'rxjs';
import { type ClientOptions, connectInMemory, type InMemoryServer, type McpClient } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { watch } from '../support/client/watch.js';
import { createAncestor } from '../support/servers/sdk-1.mjs';
import { createWorkshop } from '../support/servers/workshop.mjs';

const inMemory = (server: InMemoryServer, options?: ClientOptions): McpClient =>
  closing(connectInMemory(server, options));

/** Waits for what becomes so within a few turns of this process, where no message will tell. */
const until = async (isSo: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 100 && !isSo(); turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

type Form = readonly [
  form: string,
  era: 'modern' | 'legacy',
  options: ClientOptions,
  make: (journal: string[]) => InMemoryServer,
];

const dual = (journal: string[]): InMemoryServer => ({
  connect: (transport) => serveStdio(() => createWorkshop(journal), { transport }),
});

const FORMS: readonly Form[] = [
  ['McpServer', 'legacy', {}, (journal) => createWorkshop(journal)],
  [
    'serveStdio, modern',
    'modern',
    {},
    (journal) => ({
      connect: (transport) => serveStdio(() => createWorkshop(journal), { transport, legacy: 'reject' }),
    }),
  ],
  ['serveStdio, dual', 'modern', {}, dual],
  ['serveStdio, dual', 'legacy', { era: 'legacy' }, dual],
];

describe.each(FORMS)('%s of the official package 2.4 in this process, spoken to as %s', (_form, era, options, make) => {
  const client = (journal: string[] = [], more: ClientOptions = {}): McpClient =>
    inMemory(make(journal), { ...options, ...more });

  it('is listed, read, rendered, completed and called', async () => {
    const mcp = client();
    const warnings = watch(mcp.warnings$).values;
    const { promises } = mcp;
    expect(await promises.server()).toMatchObject({ era, info: { name: 'workshop' } });
    expect(await promises.listTools()).toHaveLength(5);
    expect(await promises.callTool('add', { a: 1, b: 2 })).toMatchObject({ structuredContent: { sum: 3 } });
    expect((await promises.readResource('workshop://motto')).contents).toHaveLength(1);
    expect((await promises.getPrompt('order', { piece: 'box', wood: 'oak' })).messages).toHaveLength(1);
    const ref = { type: 'ref/prompt', name: 'order' } as const;
    expect((await promises.complete(ref, { name: 'wood', value: '' })).completion.values).toEqual(['oak', 'ash']);
    expect(await promises.ping()).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('reports and logs in order, before its result', async () => {
    const seen = await firstValueFrom(
      client([], { logLevel: 'info' })
        .callTool('saw', { cuts: 2 }, { observe: 'events' })
        .pipe(
          map(({ kind }) => kind),
          toArray(),
        ),
    );
    expect(seen).toEqual(['log', 'progress', 'log', 'progress', 'result']);
  });

  it('observes in its handler that a call was cancelled', async () => {
    const journal: string[] = [];
    const mcp = client(journal);
    const report = firstValueFrom(mcp.progress$);
    const call = mcp.callTool('wait', { id: 'w' }).subscribe({ error: () => undefined });
    await report;
    call.unsubscribe();
    await until(() => journal.includes('w aborted'));
    expect(journal).toEqual(['w started', 'w aborted']);
  });
});

describe('McpServer of the official package 1.x in this process', () => {
  it('is legacy, and listed, read, rendered and called', async () => {
    const { promises } = inMemory(createAncestor());
    expect(await promises.server()).toMatchObject({ era: 'legacy', info: { name: 'ancestor' } });
    expect((await promises.listTools()).map(({ name }) => name)).toEqual(['count']);
    expect((await promises.callTool('count', { to: 3 })).content).toEqual([{ type: 'text', text: '3' }]);
    expect((await promises.readResource('ancestor://age')).contents).toMatchObject([{ text: 'old' }]);
    expect((await promises.getPrompt('ask', { what: 'time' })).messages).toHaveLength(1);
  });

  it('reports and logs in order, before its result', async () => {
    const call$ = inMemory(createAncestor()).callTool('count', { to: 2 }, { observe: 'events' });
    const kinds$ = call$.pipe(
      map(({ kind }) => kind),
      toArray(),
    );
    expect(await firstValueFrom(kinds$)).toEqual(['progress', 'progress', 'log', 'result']);
  });

  it('observes in its handler that a call was cancelled', async () => {
    const journal: string[] = [];
    const mcp = inMemory(createAncestor(journal));
    const log = firstValueFrom(mcp.logs$);
    const call = mcp.callTool('count', { to: 0 }).subscribe({ error: () => undefined });
    await log;
    call.unsubscribe();
    await until(() => journal.includes('aborted'));
    expect(journal).toEqual(['started', 'aborted']);
  });

  it('may be connected to again by the next use after it closed', async () => {
    const server = createAncestor();
    const mcp = inMemory(server);
    const failed = firstValueFrom(
      mcp.state$.pipe(
        filter(({ status }) => status === 'failed'),
        take(1),
      ),
    );
    await mcp.promises.listTools();
    await server.close();
    await failed;
    expect(await mcp.promises.listTools()).toHaveLength(1);
  });
});
