import { describe, expect, it } from '@jest/globals';
import type { Observable } from 'rxjs';
import { requireText } from '../../src/client/arguments.js';
import { type McpClient, OptionError } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { thrownBy, watch } from '../support/client/watch.js';

type Loose = Record<keyof McpClient, (...given: unknown[]) => Observable<unknown>>;

const loose = (client: McpClient): Loose => client as unknown as Loose;

const PROMPT = { type: 'ref/prompt', name: 'p' };
const ARGUMENT = { name: 'a', value: '' };

describe('the arguments of a call', () => {
  it.each<readonly [keyof McpClient, readonly unknown[], string]>([
    ['callTool', [], 'name'],
    ['callTool', [''], 'name'],
    ['callTool', [5], 'name'],
    ['callTool', ['t', 'text'], 'args'],
    ['callTool', ['t', ['a']], 'args'],
    ['callTool', ['t', null], 'args'],
    ['readResource', [], 'uri'],
    ['readResource', [''], 'uri'],
    ['readResource', [new URL('file:///a')], 'uri'],
    ['getPrompt', [undefined], 'name'],
    ['getPrompt', ['p', 'text'], 'args'],
    ['getPrompt', ['p', { count: 3 }], 'args'],
    ['complete', [undefined, ARGUMENT], 'ref'],
    ['complete', [{ type: 'ref/tool', name: 'p' }, ARGUMENT], 'ref'],
    ['complete', [{ type: 'ref/prompt' }, ARGUMENT], 'ref'],
    ['complete', [{ type: 'ref/resource', name: 'p' }, ARGUMENT], 'ref'],
    ['complete', [PROMPT, 'a'], 'argument'],
    ['complete', [PROMPT, { name: 'a' }], 'argument'],
    ['complete', [PROMPT, ARGUMENT, 'x'], 'context'],
    ['complete', [PROMPT, ARGUMENT, { arguments: { a: 1 } }], 'context'],
    ['setLogLevel', ['warn'], 'level'],
    ['setLogLevel', [undefined], 'level'],
  ])('are refused at once, by name and without a connection: %s(%j) names %s', (method, given, option) => {
    const server = scriptedTransport();
    const seen = watch(loose(connect(server))[method](...given));
    expect(seen.error).toBeInstanceOf(OptionError);
    expect((seen.error as OptionError).option).toBe(option);
    expect(server.sent).toEqual([]);
  });

  it('are refused by the Observable and not by the method, so that one error handler hears of everything', () => {
    expect(() => loose(connect(scriptedTransport())).callTool('')).not.toThrow();
  });

  it('that JSON cannot write fail the call and nothing else', async () => {
    const server = scriptedTransport({ 'tools/call': { content: [] } });
    const client = connect(server);
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(watch(client.callTool('t', cycle)).error).toBeDefined();
    expect(watch(client.callTool('t', { n: 1n })).error).toBeDefined();
    expect(await client.promises.callTool('t')).toEqual({ content: [], resultType: 'complete' });
    expect(server.sent.map((message) => 'method' in message && message.method)).toEqual([
      'server/discover',
      'tools/call',
    ]);
  });
});

describe('all in one object, as the official client takes it', () => {
  it.each([
    ['name', { name: 'echo', arguments: {} }],
    ['uri', { uri: 'a://b' }],
  ])('is refused with what to do: %s', (name, given) => {
    const thrown = thrownBy(() => {
      requireText(given, name);
    });
    expect(thrown).toMatchObject({
      option: name,
      message: expect.stringContaining(`the ${name} and the arguments separately`),
    });
  });
});
