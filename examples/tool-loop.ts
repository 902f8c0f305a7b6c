// The loop of an agent: a model calls tools, the tools answer, until the model has its answer. Two servers and the
// application's own tools are one registry; the model is a script, so that nobody needs a key.
//
//   npm run example:tool-loop
//
// In a program of your own, import from 'rx-mcp' and 'rx-mcp/stdio', and ask a real model where this one is scripted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filter, lastValueFrom, map, tap, toArray } from 'rxjs';
import { connectStdio } from '../src/bridge/stdio.js'; // 'rx-mcp/stdio'
import { type AnswerTo, type McpClient, Registry, Toolkit } from '../src/index.js'; // 'rx-mcp'

/** What OpenAI's chat completions give and take. */
interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}
type Message =
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly ToolCall[] }
  | AnswerTo<ToolCall>;

const server = (name: string, env: Record<string, string> = {}): McpClient =>
  connectStdio({
    command: process.execPath,
    args: [fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`))],
    env,
  });

/** The application's own tools: no server, the same shapes. */
const desk = new Toolkit({ name: 'desk' }).tool(
  'sign',
  {
    description: 'Signs a text in the name of the user',
    input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  ({ text }) => `${String(text)} -- signed, the user`,
);

const folder = mkdtempSync(join(tmpdir(), 'tool-loop-'));

// At the end of this file the processes of the servers are gone.
await using registry = new Registry()
  .add(server('everything'), { prefix: 'demo', owned: true })
  .add(server('memory', { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }), { prefix: 'memory', owned: true })
  .add(desk, { prefix: 'desk' });

const call = (id: string, name: string, args: object): ToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});

const said = (messages: readonly Message[], id: string): string =>
  String(messages.find((message) => message.role === 'tool' && message.tool_call_id === id)?.content);

/** In place of a model: it reads what the tools answered, and calls the next ones. */
const model = (messages: readonly Message[], tools: readonly string[]): Message => {
  const calls = (...toolCalls: readonly ToolCall[]): Message => {
    const unknown = toolCalls.filter(({ function: { name } }) => !tools.includes(name));
    if (unknown.length > 0) throw new Error(`the model calls what was not declared: ${JSON.stringify(unknown)}`);
    return { role: 'assistant', content: null, tool_calls: toolCalls };
  };
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  if (turn === 0) {
    return calls(
      call('c1', 'demo_get-sum', { a: 19, b: 23 }),
      call('c2', 'demo_trigger-long-running-operation', { duration: 0.4, steps: 4 }),
      call('c3', 'memory_create_entities', {
        entities: [{ name: 'answer', entityType: 'number', observations: ['asked by the user'] }],
      }),
    );
  }
  if (turn === 1) {
    return calls(
      call('c4', 'memory_search_nodes', { query: 'answer' }),
      call('c5', 'desk_sign', { text: said(messages, 'c1') }),
      // Models get arguments wrong: they are told so, and may try again.
      call('c6', 'desk_sign', { txt: 'oops' }),
    );
  }
  return { role: 'assistant', content: said(messages, 'c5') };
};

/** The loop itself: as long as the model calls tools, they are called, and it reads what they answered. */
const answerTo = async (question: string): Promise<string | null> => {
  const tools = (await registry.promises.toolsForLlm()).map(({ function: { name } }) => name);
  const messages: Message[] = [{ role: 'user', content: question }];
  for (;;) {
    const reply = model(messages, tools);
    messages.push(reply);
    if (reply.role !== 'assistant') throw new Error('a model only speaks as the assistant');
    if (reply.tool_calls === undefined) return reply.content;
    const { tool_calls: toolCalls } = reply;
    const results = await lastValueFrom(
      registry.executeToolCalls(toolCalls, { observe: 'events' }).pipe(
        tap((event) => {
          if (event.kind === 'progress')
            console.log(`  ${event.toolCallId}: ${event.progress} of ${event.total ?? '?'}`);
        }),
        filter((event) => event.kind === 'result'),
        toArray(),
        // As they came: the model wants them in the order of its calls.
        map((events) => [...events].sort((a, b) => a.index - b.index).map(({ result }) => result)),
      ),
    );
    for (const result of results) {
      const text = String(result.content).replaceAll(/\s+/g, ' ');
      console.log(`  ${result.tool_call_id}: ${result.is_error ? 'failed: ' : ''}${text.slice(0, 90)}`);
    }
    messages.push(...results);
  }
};

try {
  console.log(`the answer: ${await answerTo('What is 19 and 23? Sign it, please.')}`);
} finally {
  rmSync(folder, { recursive: true });
}
