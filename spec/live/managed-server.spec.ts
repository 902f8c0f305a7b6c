import { describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, map, ReplaySubject, toArray } from 'rxjs';
import { fileURLToPath } from 'node:url';
import type { ManagedServer } from '../../src/config/managed/managed-server.js';
import { EraCache, TimeoutError } from '../../src/index.js';
import { allGone, isRunning } from '../support/child-processes.js';
import { rejection, watch } from '../support/client/watch.js';
import { serve } from '../support/http/loopback.js';
import { webHandler } from '../support/http/web.js';
import { managed } from '../support/config/managed.js';
import { createAncestorHttp } from '../support/servers/sdk-1-http.mjs';
import { stall } from '../support/servers/stall.js';

const FIELD = fileURLToPath(new URL('../support/children/field-server.mjs', import.meta.url));
const EVERYTHING = fileURLToPath(new URL('../../node_modules/.bin/mcp-server-everything', import.meta.url));

const field = (habit: string, more: object = {}): object => ({
  command: process.execPath,
  args: [FIELD, habit],
  ...more,
});

/** The methods of the frames that went out, until the server is stopped. */
const sentBy = (server: ManagedServer): Promise<readonly unknown[]> =>
  firstValueFrom(
    server.client.wire$.pipe(
      filter(({ direction }) => direction === 'out'),
      map(({ message }) => (message as { readonly method?: unknown }).method),
      toArray(),
    ),
  );

describe.each(['modern', 'legacy'] as const)('the tools of a %s managed server that change', (era) => {
  it('are told at once, and listed anew for who asks then; a callback that throws harms nobody', async () => {
    const told = new ReplaySubject<readonly string[]>();
    const server = managed('k', stall('changing', ['first']), {
      client: { eraCache: new EraCache(), era },
      onToolsChanged: (changed) => {
        void changed.promises.listTools().then((tools) => told.next(tools.map(({ name }) => name)));
        throw new Error('the application has a fault');
      },
    });
    await server.start();
    expect(server.toolNames).toEqual(['mcp__k__first', 'mcp__k__open', 'mcp__k__die']);
    const changed = firstValueFrom(server.tools$.pipe(filter((tools) => tools.length === 4)));
    await server.promises.callTool('mcp__k__open');
    expect((await changed).at(-1)?.name).toBe('mcp__k__late');
    expect((await server.promises.listTools()).map(({ name }) => name)).toContain('mcp__k__late');
    expect(await firstValueFrom(told)).toEqual(['mcp__k__first', 'mcp__k__open', 'mcp__k__die', 'mcp__k__late']);
    expect(server.toolNames).toHaveLength(4);
    expect((await server.promises.callTool('mcp__k__late')).content[0]).toMatchObject({
      text: expect.stringContaining('changing late'),
    });
  });

  it('are told after a death, where another life has others', async () => {
    let changes = 0;
    const server = managed('k', stall('changing', ['first']), {
      client: { eraCache: new EraCache(), era },
      restartDelayMs: 1,
      onToolsChanged: () => (changes += 1),
    });
    await server.start();
    const opened = firstValueFrom(server.tools$.pipe(filter((tools) => tools.length === 4)));
    await server.promises.callTool('open');
    await opened;
    expect(changes).toBeGreaterThanOrEqual(1);
    const before = changes;
    const seen = watch(server.tools$.pipe(map((tools) => tools.length)));
    const again = firstValueFrom(server.tools$.pipe(filter((tools) => tools.length === 3)));
    await rejection(server.promises.callTool('die'));
    expect((await again).map(({ name }) => name)).toEqual(['mcp__k__first', 'mcp__k__open', 'mcp__k__die']);
    expect(changes).toBeGreaterThan(before);
    // While it is started again they stay what they were.
    expect(seen.values).toEqual([4, 3]);
  });
});

describe('a call of a managed server', () => {
  it('that takes too long is given up, and the server is told', async () => {
    const server = managed('k', field('mute', { timeout: 40 }));
    await server.start();
    const sent = sentBy(server);
    const error = await rejection(server.promises.callTool('mcp__k__echo', {}));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ message: 'MCP tool call timed out after 0.04 s', timeoutMs: 40 });
    const [result] = await server.promises.executeToolCalls([{ id: '1', name: 'mcp__k__echo', arguments: {} }]);
    expect(result).toMatchObject({
      is_error: true,
      content: expect.stringMatching(/MCP tool call timed out after 0.04 s.*check before you call it again/),
    });
    await server.stop();
    expect((await sent).filter((method) => method === 'notifications/cancelled')).toHaveLength(2);
  });

  it('takes its time from the variable where the entry says none', async () => {
    const server = managed('k', field('mute'), { baseEnv: { ...process.env, MCP_TOOL_TIMEOUT: '30' } });
    await server.start();
    expect(await rejection(server.promises.callTool('echo'))).toMatchObject({ timeoutMs: 30 });
  });

  it('has its environment as it is told, and no variable beside', async () => {
    const server = managed(
      'k',
      { command: process.execPath, args: [EVERYTHING], env: { OWN: 'x' } },
      { baseEnv: { PATH: process.env['PATH'], CLAUDE_PLUGIN_ROOT: '/of/the/host' }, projectDir: '/' },
    );
    await server.start();
    const { content } = await server.promises.callTool('get-env');
    const env = JSON.parse((content[0] as { readonly text: string }).text) as object;
    expect(env).toEqual({ PATH: process.env['PATH'], OWN: 'x', CLAUDE_PROJECT_DIR: '/' });
    expect(server.childEnv).toEqual(env);
  });
});

describe('prompts and resources of a managed server', () => {
  it('are listed on first use, are copies, and are none once it is stopped', async () => {
    const server = managed('k', { command: process.execPath, args: [EVERYTHING] });
    await server.start();
    expect([server.prompts, server.resources]).toEqual([[], []]);
    const [prompts, resources, templates] = await Promise.all([
      server.promises.listPrompts(),
      server.promises.listResources(),
      server.promises.listResourceTemplates(),
    ]);
    expect([prompts.length, resources.length, templates.length]).toEqual([4, 7, 2]);
    expect(server.prompts).toEqual(prompts);
    expect(server.prompts).not.toBe(server.prompts);
    expect(await server.promises.getPrompt('simple-prompt')).toMatchObject({ messages: [{ role: 'user' }] });
    expect((await server.promises.readResource(resources[0]?.uri ?? '')).contents).toHaveLength(1);
    await server.stop();
    expect([server.prompts, server.resources, server.tools]).toEqual([[], [], []]);
    expect(await rejection(server.promises.listPrompts())).toMatchObject({ name: 'TransportClosedError' });
  });
});

describe('the end of a managed server', () => {
  it('is at once where it must be, with its process gone before the next line', async () => {
    const server = managed('k', field('mute'));
    await server.start();
    const pid = server.pid as number;
    const call = rejection(server.promises.callTool('echo'));
    server.killNow();
    expect(server.status).toBe('stopped');
    await allGone(pid);
    await call;
    await server.stop();
  });

  it('deletes the session of a server behind a URL', async () => {
    const web = await serve(webHandler(createAncestorHttp().fetch));
    const server = managed('k', { url: web.url });
    expect(await server.start()).toMatchObject({ status: 'connected' });
    await server.stop();
    expect(web.received.at(-1)?.method).toBe('DELETE');
    expect(server.status).toBe('stopped');
  });

  it('comes to several at once, each in its own process', async () => {
    const servers = ['a', 'b', 'c'].map((key) => managed(key, stall(key)));
    await Promise.all(servers.map((server) => server.start()));
    const pids = servers.map(({ pid }) => pid as number);
    expect(new Set(pids).size).toBe(3);
    await Promise.all(servers.map((server) => server.stop()));
    expect(pids.filter(isRunning)).toEqual([]);
  });
});
