// One application, with its hooks and its calls, run over a legacy and over a modern server: it cannot tell which.
import { fileURLToPath } from 'node:url';
import { describe, expect, it, jest } from '@jest/globals';
import { BehaviorSubject, filter, firstValueFrom, map, NEVER, of, toArray } from 'rxjs';
import { connectStdio } from '../../src/bridge/stdio.js';
import { EraCache, type Hooks, InputRefusedError, type McpClient, type Root } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { rejection, watch } from '../support/client/watch.js';
import { published } from '../support/servers/published.js';

jest.setTimeout(60_000);

type Options = Partial<Parameters<typeof connectStdio>[0]>;

const QUESTIONS = fileURLToPath(new URL('../support/servers/questions.mjs', import.meta.url));

const SERVERS: readonly (readonly [era: 'legacy' | 'modern', connect: (options: Options) => McpClient])[] = [
  ['legacy', (options) => published('mcp-server-everything', ['stdio'], options)],
  [
    'modern',
    (options) =>
      closing(connectStdio({ command: process.execPath, args: [QUESTIONS], eraCache: new EraCache(), ...options })),
  ],
];

// The application. From here to its end nothing asks about eras.

const roots: Root[] = [{ uri: 'file:///home/ada', name: 'home' }, { uri: 'file:///srv/data' }];

/** What it was asked, in its own words. */
const asked: string[] = [];

const hooks: Hooks = {
  onElicit: ({ params }) => {
    asked.push(`form: ${params.message}`);
    const { name } = params.requestedSchema.properties;
    return Promise.resolve({ action: 'accept', content: name === undefined ? {} : { name: 'Ada', check: true } });
  },
  onElicitUrl: ({ params, host }) => {
    asked.push(`page at ${host}: ${params.url}`);
    return of({ action: 'accept' as const, completed: true });
  },
  onSample: ({ params }) => {
    asked.push(`model: at most ${params.maxTokens} tokens`);
    return { role: 'assistant', model: 'm-1', content: { type: 'text', text: 'a haiku' }, stopReason: 'endTurn' };
  },
  onListRoots: () => roots,
};

const words = (result: { readonly content: readonly unknown[] }): string =>
  result.content.map((block) => (block as { readonly text?: string }).text).join('\n');

/** Calls each tool that asks, one after the other, and returns what each said in the end. */
const useEverything = async ({ promises }: McpClient): Promise<Record<string, string>> => {
  const url = 'https://example.com/connect';
  return {
    form: words(await promises.callTool('trigger-elicitation-request')),
    page: words(await promises.callTool('trigger-url-elicitation', { url, message: 'Please sign in' })),
    model: words(await promises.callTool('trigger-sampling-request', { prompt: 'a haiku', maxTokens: 30 })),
    roots: words(await promises.callTool('get-roots-list')),
  };
};

/** Calls the tool that asks for a form, and returns what its events were. */
const followForm = (mcp: McpClient): Promise<string[]> =>
  firstValueFrom(
    mcp.callTool('trigger-elicitation-request', {}, { observe: 'events' }).pipe(
      filter((event) => event.kind !== 'input' || event.method === 'elicitation/create'),
      map((event) => {
        if (event.kind !== 'input') return event.kind;
        return event.answer === undefined ? 'a question' : `the answer: ${String(event.answer['action'])}`;
      }),
      toArray(),
    ),
  );

// The end of the application.

describe.each(SERVERS)('an application with hooks, over a %s server', (era, connect) => {
  it('answers forms, pages, samplings and roots', async () => {
    asked.length = 0;
    const mcp = connect(hooks);
    const warnings = watch(mcp.warnings$).values;
    expect(await mcp.promises.era()).toBe(era);
    const said = await useEverything(mcp);
    expect(said['form']).toContain('"action": "accept"');
    for (const part of ['"name": "Ada"', '"check": true', '"integer": 42', '"Guitar"']) {
      expect(said['form']).toContain(part);
    }
    expect(said['page']).toContain('"action": "accept"');
    expect(said['page']).not.toContain('"completed"');
    for (const part of ['"model": "m-1"', '"text": "a haiku"', '"stopReason": "endTurn"']) {
      expect(said['model']).toContain(part);
    }
    for (const { uri } of roots) expect(said['roots']).toContain(`URI: ${uri}`);
    expect(asked).toEqual([
      'form: Please provide inputs for the following fields:',
      'page at example.com: https://example.com/connect',
      'model: at most 30 tokens',
    ]);
    expect(warnings).toEqual([]);
  });

  it.each(['decline', 'cancel'] as const)('may answer %s', async (action) => {
    const mcp = connect({ ...hooks, onElicit: () => ({ action }), onElicitUrl: () => ({ action }) });
    const { form, page } = await useEverything(mcp);
    for (const said of [form, page]) expect(said).toContain(`"action": "${action}"`);
  });

  it('is told of an answer that does not do, which the server sees as declined', async () => {
    const warnings: string[] = [];
    const mcp = connect({
      ...hooks,
      onElicit: () => ({ action: 'accept', content: { name: 'Ada', integer: 1_000, email: 'nobody' } }),
      onWarn: ({ message }) => warnings.push(message),
    });
    expect(words(await mcp.promises.callTool('trigger-elicitation-request'))).toContain('"action": "decline"');
    expect(warnings).toHaveLength(1);
    for (const field of ['#/integer', '#/email']) expect(warnings[0]).toContain(field);
  });

  it('shows no page that must not be opened', async () => {
    const mcp = connect({ ...hooks, onElicitUrl: () => NEVER });
    for (const url of ['http://example.com/', 'ftp://example.com/file']) {
      expect(words(await mcp.promises.callTool('trigger-url-elicitation', { url }))).toContain('"action": "decline"');
    }
  });

  it('may refuse a sampling, and its call fails', async () => {
    const mcp = connect({
      ...hooks,
      onSample: () => {
        throw new Error('not on my bill');
      },
    });
    const prompt = { prompt: 'a haiku' };
    // A legacy server hears of it, and makes its own words of that; a modern one is not asked again.
    if (era === 'legacy') {
      const result = await mcp.promises.callTool('trigger-sampling-request', prompt);
      expect(result.isError).toBe(true);
      expect(words(result)).toContain('the request to sample was refused');
    } else {
      const error = await rejection(mcp.promises.callTool('trigger-sampling-request', prompt));
      expect(error).toBeInstanceOf(InputRefusedError);
    }
  });

  it('sees its questions and answers among the events of a call', async () => {
    expect(await followForm(connect(hooks))).toEqual(['a question', 'the answer: accept', 'result']);
  });
});

describe('a legacy server', () => {
  const [, connect] = SERVERS[0]!;

  it('is told of changes of a live list of roots, and reads it again', async () => {
    const roots$ = new BehaviorSubject<Root[]>([roots[0]!]);
    const mcp = connect({ onListRoots: roots$, logLevel: 'info' });
    const synced = (count: number): Promise<unknown> =>
      firstValueFrom(mcp.logs$.pipe(filter(({ data }) => String(data).startsWith(`Roots updated: ${count}`))));
    const [one, two] = [synced(1), synced(2)];
    await mcp.promises.server();
    await one;
    roots$.next(roots);
    await two;
    const said = words(await mcp.promises.callTool('get-roots-list'));
    for (const { uri } of roots) expect(said).toContain(`URI: ${uri}`);
  });

  it('that needs a page to be visited first is asked again when the user says that this is done', async () => {
    const pages: string[] = [];
    const mcp = connect({
      onElicitUrl: ({ params }) => {
        pages.push(params.url);
        return { action: 'accept', completed: true };
      },
    });
    const call = { url: 'https://example.com/connect', errorPath: true };
    expect(words(await mcp.promises.callTool('trigger-url-elicitation', call))).toContain('"action": "accept"');
    expect(pages).toEqual(['https://modelcontextprotocol.io', 'https://example.com/connect']);
  });

  it('that needs a page to be visited first refuses where the user will not', async () => {
    const mcp = connect({ onElicitUrl: () => ({ action: 'decline' }) });
    const call = { url: 'https://example.com/connect', errorPath: true };
    const error = await rejection(mcp.promises.callTool('trigger-url-elicitation', call));
    expect(error).toMatchObject({ name: 'ProtocolError', code: -32042 });
  });
});
