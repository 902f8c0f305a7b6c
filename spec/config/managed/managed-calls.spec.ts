import { describe, expect, it } from '@jest/globals';
import { firstValueFrom, ignoreElements, timer } from 'rxjs';
import { OptionError, TimeoutError, TransportClosedError } from '../../../src/errors/index.js';
import { scriptedTransport, type Script } from '../../../src/testing/index.js';
import { methodsOf, sentTo } from '../../support/client/scripted.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';
import { callsOn } from '../../support/config/calls.js';

const TOOLS = {
  'tools/list': {
    tools: [
      { name: 'read.file', inputSchema: { type: 'object' } },
      { name: 'drop', inputSchema: { type: 'object' } },
    ],
  },
} satisfies Script;

const SILENT = {
  ...TOOLS,
  'tools/call': scriptedTransport.silence,
  'prompts/get': scriptedTransport.silence,
  'resources/read': scriptedTransport.silence,
} satisfies Script;

const DIRTY = { 'my-host/trusted': true, other: 1 };

describe('the lists of a managed server', () => {
  it('have the tools under the names they appear by, as far as they are offered; a copy each time', async () => {
    const { calls } = callsOn(scriptedTransport(TOOLS), { entry: { blockedTools: ['drop'] } });
    const tools = await firstValueFrom(calls.listTools());
    expect(tools).toEqual([{ name: 'mcp__k__read_file', inputSchema: { type: 'object' } }]);
    expect(await firstValueFrom(calls.listTools())).not.toBe(tools);
    const known = await firstValueFrom(calls.knownTools());
    expect(await firstValueFrom(calls.knownTools())).toBe(known);
  });

  it('are asked for once, anew after a notice, and where that is asked for', async () => {
    const server = scriptedTransport(TOOLS);
    const { calls } = callsOn(server);
    const asked = async (...given: Parameters<typeof calls.listTools>): Promise<number> => {
      await firstValueFrom(calls.listTools(...given));
      return sentTo(server, 'tools/list').length;
    };
    expect([await asked(), await asked()]).toEqual([1, 1]);
    expect(await asked({ refresh: true })).toBe(2);
    server.push({ method: 'notifications/tools/list_changed' });
    expect([await asked(), await asked()]).toEqual([3, 3]);
  });

  it('of prompts and resources are empty where they cannot be listed, and hold no user interfaces', async () => {
    const { calls, sides } = callsOn(
      scriptedTransport({
        ...TOOLS,
        'prompts/list': scriptedTransport.error(-32_603, 'no'),
        'resources/list': {
          resources: [
            { uri: 'ui://clock', name: 'clock' },
            { uri: 'a:b', name: 'b' },
          ],
        },
        'resources/templates/list': {
          resourceTemplates: [
            { uriTemplate: 'a:{b}', name: 'b' },
            { uriTemplate: 'a:{c}', name: 'c', mimeType: 'text/html;profile=mcp-app' },
          ],
        },
      }),
    );
    expect(await firstValueFrom(calls.listPrompts())).toEqual([]);
    const resources = await firstValueFrom(calls.listResources());
    expect(resources.map(({ uri }) => uri)).toEqual(['a:b']);
    expect(await firstValueFrom(calls.listResources())).not.toBe(resources);
    expect((await firstValueFrom(calls.listResourceTemplates())).map(({ name }) => name)).toEqual(['b']);
    sides.close();
  });
});

describe('a call of a managed server', () => {
  const echo = (): ReturnType<typeof scriptedTransport> =>
    scriptedTransport({ ...TOOLS, 'tools/call': ({ name }) => ({ content: [{ type: 'text', text: name }] }) });

  it.each([['mcp__k__read_file'], ['read.file']])(
    'goes to the server under its own name, called as %s',
    async (name) => {
      const server = echo();
      const { calls } = callsOn(server);
      await firstValueFrom(calls.listTools());
      await firstValueFrom(calls.callTool(name, { a: 1 }));
      expect(sentTo(server, 'tools/call')[0]?.params).toMatchObject({ name: 'read.file', arguments: { a: 1 } });
    },
  );

  it('of a tool that is not offered sends nothing', () => {
    const server = echo();
    const { calls } = callsOn(server, { entry: { blockedTools: ['drop'] } });
    for (const name of ['drop', 'mcp__k__drop']) {
      expect(watch(calls.callTool(name)).error).toMatchObject({
        name: 'OptionError',
        message: `option "name": the tool "${name}" is not offered here: see toolNames`,
      });
    }
    expect(watch(calls.callTool(5 as never)).error).toBeInstanceOf(OptionError);
    expect(server.sent).toEqual([]);
  });

  it('is cold: each subscriber runs the tool', () => {
    const server = echo();
    const call$ = callsOn(server).calls.callTool('drop');
    expect(server.sent).toEqual([]);
    call$.subscribe();
    call$.subscribe();
    expect(sentTo(server, 'tools/call')).toHaveLength(2);
  });

  it('that runs out of time is cancelled at the server, and is told in the words of hosts', () => {
    inVirtualTime(({ at }) => {
      const server = scriptedTransport(SILENT);
      const seen = watch(callsOn(server, { callTimeoutMs: 1_500 }).calls.callTool('drop'));
      at(1_499, () => expect(seen.marks).toEqual([]));
      at(1_500, () => {
        expect(seen.error).toBeInstanceOf(TimeoutError);
        expect(seen.error).toMatchObject({ message: 'MCP tool call timed out after 1.5 s', timeoutMs: 1_500 });
        expect(methodsOf(server).at(-1)).toBe('notifications/cancelled');
      });
    });
  });

  it('is bounded as a whole, whatever it reports', () => {
    inVirtualTime(({ at }) => {
      const steps = Array.from({ length: 10 }, (_, step) => [
        timer(100).pipe(ignoreElements()),
        scriptedTransport.progress(step),
      ]).flat();
      const server = scriptedTransport({ ...TOOLS, 'tools/call': () => scriptedTransport.steps(...steps) });
      const { calls } = callsOn(server, { callTimeoutMs: 350 });
      const seen = watch(calls.callTool('drop', {}, { observe: 'events' }));
      at(349, () => expect(seen.values.map(({ kind }) => kind)).toEqual(['progress', 'progress', 'progress']));
      at(350, () => expect(seen.error).toMatchObject({ message: 'MCP tool call timed out after 0.35 s' }));
    });
  });

  it('has the bounds of the client where nothing else is said, and its own before all', () => {
    inVirtualTime(({ at }) => {
      const own = { client: { requestTimeoutMs: 70 } };
      const usual = watch(callsOn(scriptedTransport(SILENT), own).calls.callTool('drop'));
      const { calls } = callsOn(scriptedTransport(SILENT), { ...own, callTimeoutMs: 1_000 });
      const mine = watch(calls.callTool('drop', {}, { timeoutMs: 30 }));
      at(2_000, () => {
        expect(usual.marks[0]?.[0]).toBe(70);
        expect(mine.marks[0]?.[0]).toBe(30);
      });
    });
  });

  it('of a prompt or a resource has the same bounds', () => {
    inVirtualTime(({ at }) => {
      const { calls } = callsOn(scriptedTransport(SILENT), { callTimeoutMs: 1_500 });
      const seen = [watch(calls.getPrompt('p')), watch(calls.readResource('a:b'))];
      at(2_000, () => {
        expect(seen.map(({ marks }) => marks[0]?.[0])).toEqual([1_500, 1_500]);
        expect(seen.map(({ error }) => (error as TimeoutError).method)).toEqual(['prompts/get', 'resources/read']);
      });
    });
  });
});

describe('what a managed server answers', () => {
  const dirty = (more: object): ReturnType<typeof scriptedTransport> =>
    scriptedTransport({
      ...TOOLS,
      'tools/call': () =>
        scriptedTransport.steps(scriptedTransport.progress(1), { content: [], _meta: DIRTY, ...more }),
      'prompts/get': { messages: [], _meta: DIRTY, ...more },
      'resources/read': { contents: [{ uri: 'a:b', text: '', _meta: DIRTY }], _meta: DIRTY, ...more },
    });

  // A result may have members of any name: none of them makes it something else.
  it.each([[{}], [{ kind: 'progress' }], [{ kind: 'result' }], [{ kind: 'result', result: {} }]])(
    'is without the keys of the host, with %j as well',
    async (more) => {
      const { calls } = callsOn(dirty(more), { stripMeta: ['my-host/'] });
      const result = await firstValueFrom(calls.callTool('drop'));
      expect(result).toMatchObject({ _meta: { other: 1 }, ...more });
      expect(result._meta).not.toHaveProperty(['my-host/trusted']);
      expect('result' in result).toBe('result' in more);
      expect((await firstValueFrom(calls.getPrompt('p')))._meta).not.toHaveProperty(['my-host/trusted']);
      const read = await firstValueFrom(calls.readResource('a:b'));
      expect(read._meta).not.toHaveProperty(['my-host/trusted']);
      expect(read.contents[0]?._meta).toEqual({ other: 1 });
    },
  );

  it('is so among the events of a call, too', () => {
    const { calls } = callsOn(dirty({}), { stripMeta: ['my-host/'] });
    const seen = watch(calls.callTool('drop', {}, { observe: 'events' }));
    expect(seen.values.map(({ kind }) => kind)).toEqual(['progress', 'result']);
    expect(seen.values[1]).toMatchObject({ result: { _meta: { other: 1 } } });
    expect(JSON.stringify(seen.values)).not.toContain('my-host/');
  });

  it('is as the server sent it where nothing is reserved', async () => {
    const { calls } = callsOn(dirty({}));
    expect((await firstValueFrom(calls.callTool('drop')))._meta).toMatchObject(DIRTY);
  });
});

describe('a server that is not connected', () => {
  it('is asked nothing, and says why; the question is asked when somebody subscribes', () => {
    const server = scriptedTransport(SILENT);
    const { calls, how } = callsOn(server);
    const questions = [
      calls.listTools(),
      calls.knownTools(),
      calls.listPrompts(),
      calls.listResources(),
      calls.listResourceTemplates(),
      calls.callTool('drop'),
      calls.getPrompt('p'),
      calls.readResource('a:b'),
      calls.toolsForLlm(),
    ];
    how.down = 'the server "k" is not connected, but failed: no key';
    for (const question$ of questions) {
      const { error } = watch<unknown>(question$);
      expect(error).toBeInstanceOf(TransportClosedError);
      expect((error as Error).message).toBe(how.down);
    }
    expect(server.sent).toEqual([]);
  });
});
