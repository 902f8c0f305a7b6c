// Rounds with a real modern server: one that asks in every way there is, as a child and in this process.
import { describe, expect, it, jest } from '@jest/globals';
import { EMPTY, finalize, firstValueFrom, NEVER, Observable, of, toArray } from 'rxjs';
import {
  CancelledError,
  type ClientOptions,
  InputLoopExceededError,
  InputRefusedError,
  type McpClient,
  TransportClosedError,
} from '../../src/index.js';
import { rejection, watch } from '../support/client/watch.js';
import { interview, WAYS } from '../support/servers/interviewing.js';

jest.setTimeout(60_000);

/** What a result says. */
const words = (result: { readonly content: readonly unknown[] }): string =>
  result.content.map((block) => (block as { readonly text?: string }).text).join('');

/** What the server was asked of its tools, and what it was answered: null where it had not asked yet. */
const journalOf = async ({ promises }: McpClient): Promise<unknown[]> => {
  const journal = JSON.parse(words(await promises.callTool('journal'))) as unknown[];
  return journal.slice(0, -1);
};

const named =
  (name: string, more: object = {}): ClientOptions['onElicit'] =>
  () => ({ action: 'accept', content: { name, ...more } });

const onSample: ClientOptions['onSample'] = () => ({
  role: 'assistant',
  model: 'm-1',
  content: { type: 'text', text: 'O gears' },
});

const roots = [{ uri: 'file:///home/ada', name: 'home' }, { uri: 'file:///tmp' }];

describe.each(WAYS)('a modern server that asks, %s', (way) => {
  const client = (options: ClientOptions = {}): McpClient => interview(way, options);

  it('gets a form filled in, with its defaults', async () => {
    const questions: unknown[] = [];
    const mcp = client({
      onElicit: ({ params, server }) => {
        questions.push([params.message, Object.keys(params.requestedSchema.properties), server.info?.name]);
        return Promise.resolve({ action: 'accept', content: { name: 'Ada', times: 2 } });
      },
    });
    expect(words(await mcp.promises.callTool('greet'))).toBe('Hello Ada, Hello Ada');
    expect(questions).toEqual([['What is your name?', ['name', 'greeting', 'times'], 'interview']]);
    expect(await journalOf(mcp)).toEqual([
      ['greet', null],
      ['greet', { name: { action: 'accept', content: { name: 'Ada', greeting: 'Hello', times: 2 } } }],
    ]);
  });

  it('gets no answer that is not as it asked, and the application hears what is wrong with it', async () => {
    const warnings: string[] = [];
    const mcp = client({ onElicit: named('A', { times: 9 }), onWarn: ({ message }) => warnings.push(message) });
    expect(words(await mcp.promises.callTool('greet'))).toBe('decline');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('#/name');
    expect(warnings[0]).toContain('#/times');
  });

  it.each<readonly [string, ClientOptions['onElicit'], string]>([
    ['declined', () => ({ action: 'decline' }), 'decline'],
    ['cancelled', () => ({ action: 'cancel' }), 'cancel'],
    ['dismissed', () => EMPTY, 'cancel'],
    [
      'lost in a failing hook',
      () => {
        throw new Error('no terminal');
      },
      'decline',
    ],
  ])('hears of a question that is %s', async (_how, onElicit, heard) => {
    expect(words(await client({ onElicit }).promises.callTool('greet'))).toBe(heard);
  });

  it('sends somebody to a page, whose URL and host are shown', async () => {
    const questions: unknown[] = [];
    const mcp = client({
      onElicitUrl: ({ params, host, warning }) => {
        questions.push([params.url, host, warning]);
        return of({ action: 'accept' as const });
      },
    });
    expect(words(await mcp.promises.callTool('sign-in'))).toBe('sign-in: accept');
    expect(questions).toEqual([['https://accounts.example.com/connect?id=7', 'accounts.example.com', undefined]]);
  });

  it('has a model write', async () => {
    const mcp = client({
      onSample: ({ params }) => ({
        role: 'assistant',
        model: 'm-1',
        content: { type: 'text', text: `${params.maxTokens} words at most` },
      }),
    });
    expect(words(await mcp.promises.callTool('compose', { subject: 'gears' }))).toBe('m-1: 50 words at most');
  });

  it('ends a call whose sampling is refused, and is not asked again', async () => {
    const mcp = client({ onSample: () => EMPTY });
    const error = await rejection(mcp.promises.callTool('compose', { subject: 'gears' }));
    expect(error).toBeInstanceOf(InputRefusedError);
    expect(error).toMatchObject({ method: 'tools/call', keys: ['poem'] });
    expect(await journalOf(mcp)).toEqual([['compose', null]]);
  });

  it('is told the roots, by a list or a live one', async () => {
    for (const onListRoots of [() => roots, of(roots)]) {
      expect(words(await client({ onListRoots }).promises.callTool('look-around'))).toBe(
        'file:///home/ada file:///tmp',
      );
    }
  });

  it('goes through three rounds in one call', async () => {
    const mcp = client({
      onElicit: named('Ada'),
      onElicitUrl: () => ({ action: 'accept' }),
      onSample,
      onListRoots: () => roots,
    });
    const seen = await firstValueFrom(mcp.callTool('interview', {}, { observe: 'events' }).pipe(toArray()));
    expect(
      seen.map((event) => {
        if (event.kind === 'input') return [event.key, event.answer === undefined ? 'asked' : 'answered'];
        return event.kind === 'result' ? words(event.result) : event.kind;
      }),
    ).toEqual([
      ['name', 'asked'],
      ['name', 'answered'],
      ['poem', 'asked'],
      ['roots', 'asked'],
      ['poem', 'answered'],
      ['roots', 'answered'],
      ['link', 'asked'],
      ['link', 'answered'],
      'Hello Ada; O gears; 2 roots; accept',
    ]);
    expect(await journalOf(mcp)).toHaveLength(4);
  });

  it('may come back with nothing but its state', async () => {
    const mcp = client();
    expect(words(await mcp.promises.callTool('ponder'))).toBe('42');
    expect(await journalOf(mcp)).toEqual([1, 2, 3].map(() => ['ponder', null]));
  });

  it('is left where it never stops asking', async () => {
    let asked = 0;
    const mcp = client({
      maxInputRounds: 3,
      onElicit: () => {
        asked += 1;
        return { action: 'decline' };
      },
    });
    const error = await rejection(mcp.promises.callTool('pester'));
    expect(error).toBeInstanceOf(InputLoopExceededError);
    expect(error).toMatchObject({ rounds: 3, method: 'tools/call' });
    expect(asked).toBe(3);
  });

  it('may ask the same again, and the application is asked again', async () => {
    const answers = [
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', content: { name: 'Ada' } },
    ] as const;
    let asked = 0;
    const mcp = client({ onElicit: () => answers[asked++] ?? { action: 'cancel' } });
    expect(words(await mcp.promises.callTool('insist'))).toBe('Hello Ada');
    expect(asked).toBe(3);
  });

  it('may ask for a prompt and for a resource', async () => {
    const { promises } = client({ onElicit: named('Ada') });
    const { messages } = await promises.getPrompt('letter');
    expect(messages).toMatchObject([{ content: { text: 'Sign it with Hello Ada' } }]);
    const { contents } = await promises.readResource('interview://diary');
    expect(contents).toMatchObject([{ text: 'The diary of Hello Ada' }]);
  });

  it('refuses a call that needs what is not declared, and says what', async () => {
    const error = await rejection(client().promises.callTool('greet'));
    expect(error).toMatchObject({ name: 'ProtocolError', code: -32021 });
  });

  it('refuses state that is not its own', async () => {
    const mcp = client({ capabilities: { elicitation: { form: {} } } });
    const suspended = await mcp.promises.callTool('interview', {}, { onInput: 'return' });
    if (suspended.kind !== 'input') throw new Error('it has a result');
    const resume = { ...suspended.resume, requestState: `${String(suspended.resume.requestState)}x` };
    const error = await rejection(mcp.promises.resume(resume, { name: { action: 'decline' } }));
    expect(error).toMatchObject({ name: 'ProtocolError', code: -32602 });
  });

  it('hears nothing more of a call that is given up while a hook is open', async () => {
    let closed = 0;
    const opened = new Observable<McpClient>((subscriber) => {
      const mcp = client({
        onElicit: () => {
          subscriber.next(mcp);
          return NEVER.pipe(
            finalize(() => {
              closed += 1;
            }),
          );
        },
      });
      return mcp.callTool('greet').subscribe({ error: () => undefined });
    });
    const mcp = await firstValueFrom(opened);
    expect(closed).toBe(1);
    expect(await journalOf(mcp)).toEqual([['greet', null]]);
  });

  it('is aborted, and closed, while a hook is open', async () => {
    const controller = new AbortController();
    let opens: () => void = () => undefined;
    const open = (): Promise<void> =>
      new Promise((resolve) => {
        opens = resolve;
      });
    const mcp = client({
      onElicit: () => {
        opens();
        return NEVER;
      },
    });
    const first = open();
    const aborted = rejection(mcp.promises.callTool('greet', {}, { signal: controller.signal }));
    await first;
    controller.abort('enough');
    expect(await aborted).toBeInstanceOf(CancelledError);
    const second = open();
    const seen = watch(mcp.callTool('greet'));
    await second;
    await mcp.close();
    expect(await seen.end).toBeInstanceOf(TransportClosedError);
  });
});
