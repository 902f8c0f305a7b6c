// Live lists over real servers: the same specs whatever the era, and however the server is reached.
import { describe, expect, it, jest } from '@jest/globals';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { filter, firstValueFrom, map, type Observable } from 'rxjs';
import { connectStdio } from '../../src/bridge/stdio.js';
import {
  type CallToolResult,
  connectInMemory,
  EraCache,
  type InMemoryServer,
  type McpClient,
  type ReadResourceResult,
} from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { watch, type Watched } from '../support/client/watch.js';
import { createBazaar } from '../support/servers/bazaar.mjs';
import { published } from '../support/servers/published.js';
import { program } from '../support/programs/program.js';

jest.setTimeout(60_000);

const BAZAAR = program('servers', 'bazaar-stdio');

const child = (era: 'modern' | 'legacy'): McpClient =>
  closing(connectStdio({ command: process.execPath, args: [BAZAAR], era, eraCache: new EraCache(), killGraceMs: 500 }));

const inProcess = (server: InMemoryServer): McpClient => closing(connectInMemory(server));

type Way = readonly [how: string, era: 'modern' | 'legacy', connect: () => McpClient];

const WAYS: readonly Way[] = [
  ['a modern server as a process', 'modern', () => child('modern')],
  ['the same server, spoken to the old way', 'legacy', () => child('legacy')],
  [
    'a modern server in this process',
    'modern',
    () => inProcess({ connect: (transport: never) => serveStdio(() => createBazaar(), { transport }) }),
  ],
  ['a legacy server in this process', 'legacy', () => inProcess(createBazaar())],
];

const BUILT_IN = ['open', 'shut', 'rush', 'tell', 'post', 'journal', 'burn'];

/** The names of the stalls that are open. */
const stallsOf = ({ tools$ }: McpClient): Observable<string> =>
  tools$.pipe(
    map((tools) =>
      tools
        .map(({ name }) => name)
        .filter((name) => !BUILT_IN.includes(name))
        .join(),
    ),
  );

const newsOf = (client: McpClient): Observable<unknown> =>
  client
    .watchResource('bazaar://news')
    .pipe(map(({ contents: [news] }: ReadResourceResult) => (news as { text: string }).text));

/** Resolves when the last thing that was seen is this. */
const until = async <T>(seen: Watched<T>, source$: Observable<T>, last: T): Promise<void> => {
  if (JSON.stringify(seen.values.at(-1)) === JSON.stringify(last)) return;
  await firstValueFrom(source$.pipe(filter((value) => JSON.stringify(value) === JSON.stringify(last))));
};

const words = ({ content }: CallToolResult): string => (content[0] as { text: string }).text;

/** How often the client has sent a method. */
const counter = (client: McpClient): ((method: string) => number) => {
  const sent: string[] = [];
  client.wire$.subscribe(({ direction, message }) => {
    if (direction === 'out' && 'method' in message) sent.push(message.method);
  });
  return (method) => sent.filter((one) => one === method).length;
};

describe.each(WAYS)('%s', (_how, era, connect) => {
  it('is followed as its tools come and go', async () => {
    const client = connect();
    const warnings = watch(client.warnings$).values;
    const stalls$ = stallsOf(client);
    const seen = watch(stalls$);
    await until(seen, stalls$, '');
    expect(await client.promises.era()).toBe(era);
    await client.promises.callTool('open', { names: ['silk'] });
    await until(seen, stalls$, 'silk');
    await client.promises.callTool('open', { names: ['figs', 'dates'] });
    await until(seen, stalls$, 'silk,figs,dates');
    await client.promises.callTool('shut', { names: ['figs'] });
    await until(seen, stalls$, 'silk,dates');
    expect(seen.error).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('costs a thousand followers one subscription and one read, and a storm a few', async () => {
    const client = connect();
    const sent = counter(client);
    const stalls$ = stallsOf(client);
    const followers = Array.from({ length: 1_000 }, () => watch(stalls$));
    await until(followers[0]!, stalls$, '');
    expect(sent('tools/list')).toBe(1);
    await client.promises.callTool('rush', { stalls: 500 });
    await until(followers[0]!, stalls$, 'stall-500');
    expect(followers.every(({ values }) => values.at(-1) === 'stall-500')).toBe(true);
    expect(sent('tools/list')).toBeLessThanOrEqual(6);
    expect(sent('subscriptions/listen')).toBe(era === 'modern' ? 1 : 0);
  });

  it('is followed in its prompts, resources and the contents of one, all at once', async () => {
    const client = connect();
    const sent = counter(client);
    const names = <T extends { name: string }>(list$: Observable<T[]>): Observable<string> =>
      list$.pipe(map((list) => list.map(({ name }) => name).join()));
    const [prompts$, resources$, news$] = [names(client.prompts$), names(client.resources$), newsOf(client)];
    const [prompts, resources, templates, news] = [
      watch(prompts$),
      watch(resources$),
      watch(client.resourceTemplates$),
      watch(news$),
    ];
    await until(prompts, prompts$, 'haggle');
    await until(resources, resources$, 'news');
    await until(templates, client.resourceTemplates$, []);
    await until(news, news$, 'quiet');
    await client.promises.callTool('post', { names: ['lost'] });
    await until(prompts, prompts$, 'haggle,lost');
    await until(resources, resources$, 'news,lost');
    await client.promises.callTool('tell', { news: 'a camel ran away' });
    await until(news, news$, 'a camel ran away');
    expect(sent(era === 'modern' ? 'subscriptions/listen' : 'resources/subscribe')).toBe(1);
  });

  it('is let go when nobody looks any longer', async () => {
    const client = connect();
    const sent = counter(client);
    const news$ = newsOf(client);
    const news = watch(news$);
    const tools = watch(client.tools$);
    await until(news, news$, 'quiet');
    // A read that is under way would be given up, too.
    await firstValueFrom(client.tools$);
    news.subscription.unsubscribe();
    tools.subscription.unsubscribe();
    await client.promises.listPrompts();
    const journal = words(await client.promises.callTool('journal'));
    if (era === 'modern') {
      expect(sent('notifications/cancelled')).toBe(sent('subscriptions/listen'));
      expect(journal).toBe('');
    } else {
      expect(journal).toBe('resources/subscribe bazaar://news\nresources/unsubscribe bazaar://news');
    }
    await client.promises.callTool('open', { names: ['silk'] });
    expect(tools.values.at(-1)).toHaveLength(BUILT_IN.length);
  });
});

describe.each(['modern', 'legacy'] as const)('a %s server whose process ends', (era) => {
  it('is started again and followed as before', async () => {
    const client = child(era);
    const sent = counter(client);
    const warnings = watch(client.warnings$).values;
    const stalls$ = stallsOf(client);
    const seen = watch(stalls$);
    const news$ = newsOf(client);
    const news = watch(news$);
    await until(news, news$, 'quiet');
    await client.promises.callTool('open', { names: ['silk'] });
    await until(seen, stalls$, 'silk');
    const reads = sent('tools/list');
    await client.promises.callTool('burn').catch(() => undefined);
    // The new process has no stalls.
    await until(seen, stalls$, '');
    expect(sent('tools/list')).toBe(reads + 1);
    expect(warnings.map(({ kind }) => kind)).toEqual(['subscription']);
    await client.promises.callTool('open', { names: ['figs'] });
    await until(seen, stalls$, 'figs');
    await client.promises.callTool('tell', { news: 'fire' });
    await until(news, news$, 'fire');
  });
});

describe('the raw stream', () => {
  it('is the filter a modern server agreed to, then its notices, and ends when the server is closed', async () => {
    let close: () => unknown = () => undefined;
    const client = inProcess({
      connect: (transport: never) => {
        const handle = serveStdio(() => createBazaar(), { transport });
        close = () => handle.close();
      },
    });
    const heard = watch(
      client
        .listen({ toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['bazaar://news'] })
        .pipe(map((event) => (event.kind === 'notification' ? event.method : event.filter))),
    );
    await client.promises.callTool('open', { names: ['silk'] });
    await client.promises.callTool('tell', { news: 'x' });
    expect(heard.values).toEqual([
      { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['bazaar://news'] },
      'notifications/tools/list_changed',
      'notifications/resources/updated',
    ]);
    close();
    await heard.end;
    expect([heard.completed, heard.error]).toEqual([true, undefined]);
  });
});

describe('@modelcontextprotocol/server-everything', () => {
  it('is followed in a resource it is made to update, until nobody looks', async () => {
    const client = published('mcp-server-everything', ['stdio']);
    const sent = counter(client);
    const contents$ = client.watchResource('demo://resource/dynamic/text/1');
    const seen = watch(contents$);
    await firstValueFrom(contents$);
    await client.promises.callTool('toggle-subscriber-updates');
    // Its contents are the time, to the second.
    await firstValueFrom(contents$.pipe(filter(() => seen.values.length >= 2)));
    expect(sent('resources/subscribe')).toBe(1);
    seen.subscription.unsubscribe();
    await client.promises.callTool('toggle-subscriber-updates');
    expect(sent('resources/unsubscribe')).toBe(1);
  });
});
