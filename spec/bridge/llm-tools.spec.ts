import { describe, expect, it } from '@jest/globals';
import { of } from 'rxjs';
import { LLM_FORMATS } from '../../src/bridge/formats/index.js';
import {
  CancelledError,
  connect as fresh,
  type DeclarationChange,
  type LlmFormat,
  type Tool,
} from '../../src/index.js';
import { LlmTools } from '../../src/bridge/llm-tools.js';
import { type Script, type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';
import { answering, call, text, tool } from './support/batches.js';

const { silence, error } = scriptedTransport;

const TOOLS: readonly Tool[] = [
  tool('zoom'),
  {
    ...tool('fs.read'),
    description: 'Reads',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
  tool('fs/read'),
  tool(`${'long'.repeat(20)}`),
  tool('ünïcödé name'),
  tool('alpha'),
];

const server = (era: 'modern' | 'legacy', script: Script = {}): ScriptedTransport =>
  scriptedTransport({ 'tools/list': { tools: TOOLS }, 'tools/call': ({ name }) => text(name), ...script }, { era });

/** The names under which tools are declared, in their order. */
const namesIn = (format: LlmFormat, declarations: unknown): readonly string[] => {
  if (format === 'ai-sdk') return Object.keys(declarations as object);
  const list = declarations as readonly Record<string, unknown>[];
  if (format === 'openai') return list.map((one) => (one['function'] as { name: string }).name);
  if (format === 'gemini') return (list[0]?.['functionDeclarations'] as { name: string }[]).map(({ name }) => name);
  return list.map((one) => one['name'] as string);
};

/** A call as the model of a format writes it. */
const callOf = (format: LlmFormat, id: string, name: string): object => {
  const shapes: Record<LlmFormat, object> = {
    openai: { id, type: 'function', function: { name, arguments: '{}' } },
    'openai-responses': { type: 'function_call', call_id: id, name, arguments: '{}' },
    anthropic: { type: 'tool_use', id, name, input: {} },
    gemini: { id, name, args: {} },
    'ai-sdk': { type: 'tool-call', toolCallId: id, toolName: name, input: {} },
  };
  return shapes[format];
};

describe.each(ERAS)('the tools of a server for a model, in the %s era', (era) => {
  it.each(LLM_FORMATS)('are sorted and legal, and each is called back under its own name: %s', (format) => {
    const wire = server(era);
    const client = connect(wire, { era });
    const names = namesIn(format, watch(client.toolsForLlm({ format })).values[0]);
    expect(names).toHaveLength(TOOLS.length);
    expect(names).toEqual([...names].sort());
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    watch(client.executeToolCalls(names.map((name, n) => callOf(format, String(n), name))));
    const called = sentTo(wire, 'tools/call').map(({ params }) => params?.['name']);
    expect([...called].sort()).toEqual(TOOLS.map(({ name }) => name).sort());
  });

  it.each(LLM_FORMATS)(
    'are the same bytes whatever the order of its list, and after it was asked for again: %s',
    (format) => {
      const bytes = (tools: readonly Tool[]): string[] => {
        const client = connect(server(era, { 'tools/list': { tools } }), { era });
        return [false, true].map((refresh) => JSON.stringify(watch(client.toolsForLlm({ format, refresh })).values[0]));
      };
      const orders = [TOOLS, [...TOOLS].reverse(), [...TOOLS.slice(3), ...TOOLS.slice(0, 3)]];
      expect(new Set(orders.flatMap(bytes)).size).toBe(1);
    },
  );

  it('are read from all pages, and one that cannot be declared costs no other', () => {
    const wire = server(era, {
      'tools/list': ({ cursor }) =>
        cursor === undefined ? { tools: [tool('b'), { name: 7 }, null], nextCursor: '2' } : { tools: [tool('a')] },
    });
    const { values } = watch(connect(wire, { era }).toolsForLlm());
    expect(namesIn('openai', values[0])).toEqual(['a', 'b']);
  });

  it('are asked for where they are not kept, or with refresh', () => {
    const wire = server(era, { 'tools/list': { tools: TOOLS, ttlMs: 60_000, cacheScope: 'public' } });
    const client = connect(wire, { era });
    const asked = () => sentTo(wire, 'tools/list').length;
    watch(client.toolsForLlm());
    const before = asked();
    watch(client.toolsForLlm({ format: 'gemini' }));
    expect(asked()).toBe(era === 'modern' ? before : before + 1);
    const now = asked();
    watch(client.toolsForLlm({ refresh: true }));
    expect(asked()).toBe(now + 1);
  });

  it('are nothing where the server has none', () => {
    for (const wire of [scriptedTransport({}, { era }), server(era, { 'tools/list': { tools: [] } })]) {
      const client = connect(wire, { era });
      for (const format of LLM_FORMATS) {
        expect(watch(client.toolsForLlm({ format })).values).toEqual([format === 'ai-sdk' ? {} : []]);
      }
    }
  });

  it('come with a report of what was changed to make them legal', () => {
    const reports: (readonly DeclarationChange[])[] = [];
    const client = connect(server(era), { era });
    watch(client.toolsForLlm({ report: (changes) => reports.push(changes) }));
    expect(reports).toHaveLength(1);
    expect(new Set(reports[0]?.filter(({ path }) => path === '/name').map((change) => change.tool))).toEqual(
      new Set(TOOLS.map(({ name }) => name).filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))),
    );
  });

  it('error where the list does, where an option cannot be used, and where it is given up', () => {
    const failing = connect(server(era, { 'tools/list': error(-32_603, 'no list') }), { era });
    expect(watch(failing.toolsForLlm()).error).toMatchObject({ name: 'ProtocolError', message: 'no list' });
    expect(watch(failing.toolsForLlm({ format: 'x' as never })).error).toMatchObject({ option: 'format' });
    expect(watch(failing.toolsForLlm(null as never)).error).toMatchObject({ option: 'options' });
    const wire = server(era, { 'tools/list': silence });
    const abort = new AbortController();
    const seen = watch(connect(wire, { era }).toolsForLlm({ signal: abort.signal }));
    abort.abort();
    expect(seen.error).toBeInstanceOf(CancelledError);
    expect(sentTo(wire, 'notifications/cancelled')).toHaveLength(1);
  });

  it('error in the time that is given', () => {
    inVirtualTime(({ at }) => {
      const seen = watch(fresh(server(era, { 'tools/list': silence }), { era }).toolsForLlm({ timeoutMs: 10 }));
      at(11, () => {
        expect(seen.error).toMatchObject({ name: 'TimeoutError', timeoutMs: 10 });
      });
    });
  });

  it('are declared once for each who subscribes, and not before', () => {
    const wire = server(era);
    const tools$ = connect(wire, { era, cache: false }).toolsForLlm();
    expect(wire.sent).toEqual([]);
    expect([watch(tools$).completed, watch(tools$).completed]).toEqual([true, true]);
    expect(sentTo(wire, 'tools/list')).toHaveLength(2);
  });
});

describe('the two sides of a provider', () => {
  it('read the list as the options say, with no option that a list has not', () => {
    const read: object[] = [];
    const llm = new LlmTools(
      (options) => {
        read.push(options);
        return of([tool('a')]);
      },
      answering(() => text('done')),
    );
    const { signal } = new AbortController();
    watch(llm.declare({ format: 'anthropic', refresh: true, timeoutMs: 5, signal, report: () => undefined }));
    expect(read).toEqual([{ refresh: true, timeoutMs: 5, signal }]);
  });

  it('may have a list and checks of one’s own', () => {
    const llm = new LlmTools(
      () => of([]),
      answering(() => text('done')),
    );
    const own = { check: () => undefined, list: () => of([tool('mine')]) };
    expect(watch(llm.declare({ anything: 1 } as never, own)).values).toMatchObject([[{ function: { name: 'mine' } }]]);
  });

  it('make calls with options or without, also where plain JavaScript gives null', () => {
    const llm = new LlmTools(
      () => of([]),
      answering(() => text('done')),
    );
    for (const options of [undefined, {}, null]) {
      expect(watch(llm.execute([call('1', 'a')], options as never)).values).toMatchObject([[{ content: 'done' }]]);
    }
    expect(watch(llm.execute([], { when: 'now' } as never)).error).toMatchObject({
      name: 'OptionError',
      option: 'when',
    });
  });
});
