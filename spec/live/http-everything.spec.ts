import { describe, expect, it, jest } from '@jest/globals';
import { filter, firstValueFrom, lastValueFrom, map, takeWhile, toArray } from 'rxjs';
import { CancelledError, connectHttp, EraCache, type HttpOptions, type McpClient } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { rejection, watch } from '../support/client/watch.js';
import { publishedHttp, type PublishedHttp } from '../support/servers/published-http.js';

jest.setTimeout(60_000);

const everything = (form: string): Promise<PublishedHttp> =>
  publishedHttp('mcp-server-everything', [form], /listening on port|is running on port/);

const client = (url: string, options: Partial<HttpOptions> = {}): McpClient =>
  closing(connectHttp({ url, eraCache: new EraCache(), ...options }));

describe.each([
  ['streamableHttp', '/mcp'],
  ['sse', '/sse'],
])('@modelcontextprotocol/server-everything over %s', (form, path) => {
  it('is found to be legacy, without being told so, and lists what it has', async () => {
    const { origin } = await everything(form);
    const { promises } = client(origin + path);
    expect(await promises.server()).toMatchObject({
      era: 'legacy',
      protocolVersion: '2025-11-25',
      info: { name: 'mcp-servers/everything', version: '2.0.0' },
    });
    const [tools, prompts, resources, templates] = await Promise.all([
      promises.listTools(),
      promises.listPrompts(),
      promises.listResources(),
      promises.listResourceTemplates(),
    ]);
    expect([tools.length, templates.length]).toEqual([13, 2]);
    expect(prompts.map(({ name }) => name)).toContain('args-prompt');
    expect(resources.length).toBeGreaterThan(0);
  });

  it('calls its tools, reads its resources, renders its prompts, completes, and answers a ping', async () => {
    const { origin } = await everything(form);
    const { promises } = client(origin + path, { validateOutput: 'error' });
    const echo = await promises.callTool('echo', { message: 'grüß dich 🦀' });
    expect(echo.content).toMatchObject([{ type: 'text', text: 'Echo: grüß dich 🦀' }]);
    const { contents } = await promises.readResource('demo://resource/dynamic/text/7');
    expect(contents[0]).toMatchObject({ uri: 'demo://resource/dynamic/text/7' });
    const { messages } = await promises.getPrompt('args-prompt', { city: 'Oslo' });
    expect(JSON.stringify(messages)).toContain('Oslo');
    const ref = { type: 'ref/prompt', name: 'completable-prompt' } as const;
    const { completion } = await promises.complete(ref, { name: 'department', value: 'E' });
    expect(completion.values).toEqual(['Engineering']);
    expect(await promises.ping()).toBe(true);
    await expect(promises.setLogLevel('debug')).resolves.toBeUndefined();
  });

  it('reports the progress of a long operation, and is told that another is no longer wanted', async () => {
    const { origin } = await everything(form);
    const one = client(origin + path);
    const long = (duration: number, steps: number) =>
      one.callTool('trigger-long-running-operation', { duration, steps }, { observe: 'events' });
    const seen = await lastValueFrom(
      long(0.2, 4).pipe(
        map((event) => (event.kind === 'progress' ? `${event.progress}/${String(event.total)}` : event.kind)),
        toArray(),
      ),
    );
    expect(seen).toEqual(['1/4', '2/4', '3/4', '4/4', 'result']);

    const controller = new AbortController();
    const out$ = one.wire$.pipe(
      filter(({ direction }) => direction === 'out'),
      map(({ message }) => ('method' in message ? message.method : '')),
    );
    const notices = lastValueFrom(out$.pipe(takeWhile((method) => method !== 'notifications/cancelled', true)));
    const sent = firstValueFrom(out$.pipe(filter((method) => method === 'tools/call')));
    const call = rejection(
      one.promises.callTool(
        'trigger-long-running-operation',
        { duration: 60, steps: 60 },
        { signal: controller.signal },
      ),
    );
    await sent;
    controller.abort();
    expect(await call).toBeInstanceOf(CancelledError);
    expect(await notices).toBe('notifications/cancelled');
    expect(await one.promises.ping()).toBe(true);
  });

  it('may ask in return, and is answered', async () => {
    const { origin } = await everything(form);
    const one = client(origin + path, {
      onSample: () => ({ role: 'assistant', content: { type: 'text', text: 'forty-two' }, model: 'spec' }),
    });
    const result = await one.promises.callTool('trigger-sampling-request', { prompt: 'what?', maxTokens: 10 });
    expect(JSON.stringify(result.content)).toContain('forty-two');
  });

  it('may be started anew between two calls', async () => {
    const server = await everything(form);
    const one = client(server.origin + path);
    const warnings = watch(one.warnings$).values;
    await one.promises.callTool('echo', { message: 'before' });
    await server.restart();
    const { content } = await one.promises.callTool('echo', { message: 'after' });
    expect(content).toMatchObject([{ text: 'Echo: after' }]);
    expect(warnings).toEqual([]);
  });
});
