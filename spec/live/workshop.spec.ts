import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, map, take, toArray } from 'rxjs';
import { connectStdio } from '../../src/client/stdio.js';
import {
  type CallEvent,
  CancelledError,
  type ClientOptions,
  EraCache,
  type McpClient,
  TimeoutError,
} from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { rejection, watch } from '../support/client/watch.js';

const SERVER = fileURLToPath(new URL('../support/servers/workshop-stdio.mjs', import.meta.url));

const workshop = (form: string, options: ClientOptions = {}): McpClient =>
  closing(connectStdio({ command: process.execPath, args: [SERVER, form], eraCache: new EraCache(), ...options }));

type Row = readonly [form: string, era: 'modern' | 'legacy', version: string, options: ClientOptions];

const FORMS: readonly Row[] = [
  ['modern', 'modern', '2026-07-28', {}],
  ['dual', 'modern', '2026-07-28', {}],
  ['dual', 'legacy', '2025-11-25', { era: 'legacy' }],
  ['legacy', 'legacy', '2025-11-25', {}],
];

const journalOf = async (client: McpClient): Promise<string[]> => {
  const { content } = await client.promises.callTool('journal');
  const [first] = content;
  return first?.type === 'text' ? first.text.split('\n') : [];
};

/** The journal, as soon as it says so: the abort reaches the handler a moment after the notice. */
const journalWith = async (client: McpClient, line: string): Promise<string[]> => {
  for (;;) {
    const journal = await journalOf(client);
    if (journal.includes(line)) return journal;
  }
};

describe.each(FORMS)(
  'a server on the official package, served as %s and spoken to as %s',
  (form, era, version, options) => {
    it('says who it is', async () => {
      const server = await workshop(form, options).promises.server();
      expect(server).toMatchObject({
        era,
        protocolVersion: version,
        info: { name: 'workshop', version: '1.2.3' },
        instructions: 'mind your fingers',
        capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
      });
    });

    it('lists its tools, prompts, resources and templates', async () => {
      const { promises } = workshop(form, options);
      const [tools, prompts, resources, templates] = await Promise.all([
        promises.listTools(),
        promises.listPrompts(),
        promises.listResources(),
        promises.listResourceTemplates(),
      ]);
      expect(tools.map(({ name }) => name).sort()).toEqual(['add', 'fail', 'journal', 'saw', 'wait']);
      expect(tools.find(({ name }) => name === 'add')).toMatchObject({
        inputSchema: { type: 'object', required: ['a', 'b'] },
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: true },
      });
      expect(prompts.map(({ name }) => name)).toEqual(['order']);
      expect(resources.map(({ uri }) => uri)).toEqual(['workshop://motto']);
      expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual(['workshop://tools/{name}']);
    });

    it('runs its tools, whose output is as they promised, or fails as a result', async () => {
      const client = workshop(form, { ...options, validateOutput: 'error' });
      const warnings = watch(client.warnings$).values;
      await client.promises.listTools();
      expect(await client.promises.callTool('add', { a: 2, b: 3 })).toMatchObject({ structuredContent: { sum: 5 } });
      expect(await client.promises.callTool('fail')).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: 'the blade broke' }],
      });
      expect(warnings).toEqual([]);
    });

    it('reads its resources, renders its prompt, completes, and answers a ping', async () => {
      const { promises } = workshop(form, options);
      const motto = await promises.readResource('workshop://motto');
      expect(motto.contents).toMatchObject([{ text: 'measure twice, cut once', mimeType: 'text/plain' }]);
      const plane = await promises.readResource('workshop://tools/plane');
      expect(plane.contents).toMatchObject([{ text: 'a plane' }]);
      const prompt = await promises.getPrompt('order', { piece: 'chair', wood: 'ash' });
      expect(prompt.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Build a chair of ash.' } }]);
      const ref = { type: 'ref/resource', uri: 'workshop://tools/{name}' } as const;
      const { completion } = await promises.complete(ref, { name: 'name', value: 'ha' });
      expect(completion.values).toEqual(['hammer', 'handsaw']);
      const wood = await promises.complete({ type: 'ref/prompt', name: 'order' }, { name: 'wood', value: '' });
      expect(wood.completion.values).toEqual(['oak', 'ash']);
      expect(await promises.ping()).toBe(true);
    });

    it('reports its progress and logs at the level asked for, all before the result and in order', async () => {
      const client = workshop(form, { ...options, logLevel: 'info' });
      const brief = (event: CallEvent<unknown>): string =>
        event.kind === 'progress'
          ? `${event.progress}/${String(event.total)} ${String(event.message)}`
          : event.kind === 'log'
            ? `${event.level} ${String(event.data)}`
            : event.kind;
      const seen$ = client.callTool('saw', { cuts: 3 }, { observe: 'events' }).pipe(map(brief), toArray());
      expect(await firstValueFrom(seen$)).toEqual([
        'info cut 1',
        '1/3 cut 1 of 3',
        'info cut 2',
        '2/3 cut 2 of 3',
        'info cut 3',
        '3/3 cut 3 of 3',
        'result',
      ]);
    });

    it('observes in its handler that a call was cancelled: by unsubscribing, by a signal, by a timeout', async () => {
      const client = workshop(form, options);
      const reports$ = client.progress$;
      const report = firstValueFrom(reports$);
      const left = client.callTool('wait', { id: 'left' }).subscribe({ error: () => undefined });
      await report;
      left.unsubscribe();

      const controller = new AbortController();
      const second = firstValueFrom(reports$);
      const aborted = rejection(client.promises.callTool('wait', { id: 'aborted' }, { signal: controller.signal }));
      await second;
      controller.abort();
      expect(await aborted).toBeInstanceOf(CancelledError);

      expect(await rejection(client.promises.callTool('wait', { id: 'slow' }, { timeoutMs: 50 }))).toBeInstanceOf(
        TimeoutError,
      );
      const journal = await journalWith(client, 'slow aborted');
      expect(journal).toEqual(expect.arrayContaining(['left aborted', 'aborted aborted', 'slow aborted']));
    });

    it('is heard on stderr, and ends with the client', async () => {
      const client = workshop(form, options);
      const line = firstValueFrom(client.stderr$.pipe(filter((text) => text.startsWith('workshop'))));
      const states = firstValueFrom(client.state$.pipe(take(10), toArray()));
      await client.promises.server();
      expect(await line).toBe(`workshop: ${form}`);
      await client.close();
      expect((await states).map(({ status }) => status)).toEqual(['idle', 'connecting', 'connected', 'closed']);
    });
  },
);

describe('a server that is pinned to the other era', () => {
  it('refuses the handshake, with the versions it knows', async () => {
    const error = await rejection(workshop('modern', { era: 'legacy' }).promises.server());
    expect(error).toMatchObject({ code: -32022 });
  });

  it('is not spoken to where only modern revisions are wanted', async () => {
    const error = await rejection(workshop('legacy', { era: 'modern' }).promises.server());
    expect(error).toMatchObject({ name: 'UnsupportedVersionError' });
  });
});
