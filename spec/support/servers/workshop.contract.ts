import { expect, it } from '@jest/globals';
import { firstValueFrom } from 'rxjs';
import { CancelledError, type ClientOptions, type McpClient, TimeoutError } from '../../../src/index.js';
import { rejection, watch } from '../client/watch.js';

/** What holds of the workshop on any wire and in either era. `open` makes a client of a fresh one. */
export const itIsTheWorkshop = (
  era: 'modern' | 'legacy',
  version: string,
  open: (options?: ClientOptions) => Promise<McpClient>,
): void => {
  it('says who it is', async () => {
    expect(await (await open()).promises.server()).toMatchObject({
      era,
      protocolVersion: version,
      info: { name: 'workshop', version: '1.2.3' },
      instructions: 'mind your fingers',
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
    });
  });

  it('lists its tools, prompts, resources and templates', async () => {
    const { promises } = await open();
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

  it('runs its tools, whose output is as they promised, or fails as a result; and warns of nothing', async () => {
    const client = await open({ validateOutput: 'error' });
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
    const { promises } = await open();
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
};

/** What the workshop's journal says of {@link giveUpThree} when all of it has got there. */
export const GIVEN_UP = ['left aborted', 'aborted aborted', 'slow aborted'];

/** Gives up three calls that would wait for ever: by unsubscribing, by a signal, by a timeout. */
export const giveUpThree = async (client: McpClient): Promise<void> => {
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
};
