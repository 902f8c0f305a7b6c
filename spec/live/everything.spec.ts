import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, map, takeWhile, toArray } from 'rxjs';
import { CancelledError, type McpClient } from '../../src/index.js';
import { published } from '../support/servers/published.js';
import { rejection, watch } from '../support/client/watch.js';

const everything = (options = {}): McpClient => published('mcp-server-everything', ['stdio'], options);

describe('@modelcontextprotocol/server-everything', () => {
  it('is found to be legacy', async () => {
    const server = await everything().promises.server();
    expect(server).toMatchObject({
      era: 'legacy',
      protocolVersion: '2025-11-25',
      info: { name: 'mcp-servers/everything', version: '2.0.0' },
    });
    expect(server.instructions).toContain('Everything Server');
  });

  it('lists what it has', async () => {
    const client = everything();
    const warnings = watch(client.warnings$).values;
    const { promises } = client;
    const [tools, prompts, resources, templates] = await Promise.all([
      promises.listTools(),
      promises.listPrompts(),
      promises.listResources(),
      promises.listResourceTemplates(),
    ]);
    expect(tools).toHaveLength(13);
    expect(prompts.map(({ name }) => name)).toContain('args-prompt');
    expect(resources.length).toBeGreaterThan(0);
    expect(templates).toHaveLength(2);
    expect(warnings).toEqual([]);
  });

  it('calls its tools, whose structured output is as its schema promises', async () => {
    const { promises } = everything({ validateOutput: 'error' });
    await promises.listTools();
    const echo = await promises.callTool('echo', { message: 'grüß dich' });
    expect(echo.content).toMatchObject([{ type: 'text', text: 'Echo: grüß dich' }]);
    const sum = await promises.callTool('get-sum', { a: 19, b: 23 });
    expect(JSON.stringify(sum.content)).toContain('42');
    const weather = await promises.callTool('get-structured-content', { location: 'Chicago' });
    expect(weather.structuredContent).toHaveProperty('temperature');
    const image = await promises.callTool('get-tiny-image');
    expect(image.content.map(({ type }) => type)).toContain('image');
    const failed = await promises.callTool('get-sum', { a: 'x' });
    expect(failed.isError).toBe(true);
  });

  it('reads its resources, renders its prompts and completes', async () => {
    const { promises } = everything();
    const { contents } = await promises.readResource('demo://resource/dynamic/text/7');
    expect(contents[0]).toMatchObject({ uri: 'demo://resource/dynamic/text/7', mimeType: 'text/plain' });
    const blob = await promises.readResource('demo://resource/dynamic/blob/7');
    expect(blob.contents[0]).toHaveProperty('blob');
    const prompt = await promises.getPrompt('args-prompt', { city: 'Oslo' });
    expect(JSON.stringify(prompt.messages)).toContain('Oslo');
    const ref = { type: 'ref/prompt', name: 'completable-prompt' } as const;
    const { completion } = await promises.complete(ref, { name: 'department', value: 'E' });
    expect(completion.values).toEqual(['Engineering']);
    expect(await promises.ping()).toBe(true);
    await expect(promises.setLogLevel('debug')).resolves.toBeUndefined();
  });

  it('reports the progress of a long operation', async () => {
    const call$ = everything().callTool(
      'trigger-long-running-operation',
      { duration: 0.2, steps: 4 },
      { observe: 'events' },
    );
    const seen = await lastValueFrom(
      call$.pipe(
        map((event) => (event.kind === 'progress' ? `${event.progress}/${String(event.total)}` : event.kind)),
        toArray(),
      ),
    );
    expect(seen).toEqual(['1/4', '2/4', '3/4', '4/4', 'result']);
  });

  it('is told that a long operation is no longer wanted, and goes on', async () => {
    const client = everything();
    const controller = new AbortController();
    const notices = lastValueFrom(
      client.wire$.pipe(
        map(({ message }) => ('method' in message ? message.method : '')),
        takeWhile((method) => method !== 'notifications/cancelled', true),
      ),
    );
    const call = rejection(
      client.promises.callTool(
        'trigger-long-running-operation',
        { duration: 60, steps: 60 },
        { signal: controller.signal },
      ),
    );
    await client.promises.server();
    controller.abort();
    expect(await call).toBeInstanceOf(CancelledError);
    expect(await notices).toBe('notifications/cancelled');
    expect(await client.promises.ping()).toBe(true);
  });
});
