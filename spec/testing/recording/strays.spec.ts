// What a replay says of a client that does something else than the recorded one.
import { describe, expect, it } from '@jest/globals';
import { ignoreElements, timer } from 'rxjs';
import { TransportError } from '../../../src/errors/index.js';
import { type ClientOptions, EraCache, type McpClient } from '../../../src/index.js';
import { record, replay, scriptedTransport } from '../../../src/testing/index.js';
import { connect } from '../../support/client/connect.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { rejection, watch } from '../../support/client/watch.js';

const own = (options: ClientOptions = {}): ClientOptions => ({ era: 'modern', eraCache: new EraCache(), ...options });

const recorded = async (
  deed: (mcp: McpClient) => Promise<unknown>,
  options?: ClientOptions,
  era: 'modern' | 'legacy' = 'modern',
): Promise<readonly string[]> => {
  const wire = record(scriptedTransport({ 'tools/list': { tools: [] }, 'tools/call': { content: [] } }, { era }));
  const mcp = connect(wire, own(options));
  await deed(mcp);
  await mcp.close();
  return wire.lines;
};

describe('a request that was not recorded', () => {
  it.each<readonly [string, string, object, string]>([
    ['another tool', 'b', { q: 1 }, 'it goes on with tools/call of "a"'],
    ['another value', 'a', { q: 2 }, 'it goes on with tools/call of "a" whose params.arguments.q differs'],
    ['a value too few', 'a', {}, 'whose params.arguments.q differs'],
    ['a value too many', 'a', { q: 1, more: [] }, 'whose params.arguments.more differs'],
    ['a name that is no word', 'a', { q: 1, 'a b': 1 }, 'whose params.arguments["a b"] differs'],
  ])('is told by name and path where it has %s', async (_what, tool, args, said) => {
    const lines = await recorded((mcp) => mcp.promises.callTool('a', { q: 1 }));
    const reason = await rejection(connect(replay(lines), own()).promises.callTool(tool, { ...args }));
    expect(reason).toBeInstanceOf(TransportError);
    expect(String(reason)).toContain(said);
  });

  it('tells no value, and no name that looks like a secret', async () => {
    const lines = await recorded((mcp) => mcp.promises.callTool('a', { list: [{ q: 1 }, { q: 'Ada' }] }));
    const call = (args: object) => rejection(connect(replay(lines), own()).promises.callTool('a', { ...args }));
    const reason = String(await call({ list: [{ q: 1 }, { q: 'Grace' }] }));
    expect(reason).toContain('params.arguments.list[1].q differs');
    expect(reason).not.toMatch(/Ada|Grace/);
    expect(String(await call({ list: [{ q: 1 }, { q: 'Ada' }], ghp_0123456789abcdef0123: 1 }))).not.toContain('ghp_0');
  });

  it('is told where it opens the session with other capabilities', async () => {
    const lines = await recorded((mcp) => mcp.promises.ping(), { era: 'legacy' }, 'legacy');
    const other = own({ era: 'legacy', onElicit: () => ({ action: 'decline' }) });
    expect(String(await rejection(connect(replay(lines), other).promises.ping()))).toContain(
      'it goes on with initialize whose params.capabilities.elicitation differs',
    );
  });

  it('is told to be used up where it was recorded less often', async () => {
    const lines = await recorded((mcp) => mcp.promises.callTool('a', {}));
    const mcp = connect(replay(lines), own());
    await mcp.promises.callTool('a', {});
    expect(String(await rejection(mcp.promises.callTool('a', {})))).toContain(
      'which was not recorded here once more: what was recorded of it is used up',
    );
  });
});

describe('a request whose answer was recorded behind something else', () => {
  /** A call of 300 ms, and a list that was asked for meanwhile. */
  const lines = (): readonly string[] => {
    let made: readonly string[] = [];
    inVirtualTime(({ at }) => {
      const late = scriptedTransport.steps(timer(300).pipe(ignoreElements()), { content: [] });
      const wire = record(scriptedTransport({ 'tools/list': { tools: [] }, 'tools/call': late }));
      const mcp = connect(wire, own());
      watch(mcp.callTool('a'));
      at(100, () => void watch(mcp.listTools()));
      at(500, () => (made = wire.lines));
    });
    return made;
  };

  it('tells by a warning what it waits for, a second after that should have come', () => {
    const then = lines();
    inVirtualTime(({ at }) => {
      const mcp = connect(replay(then), own());
      const warnings = watch(mcp.warnings$);
      const call = watch(mcp.callTool('a'));
      at(1_099, () => expect(warnings.values).toEqual([]));
      at(1_101, () => {
        expect(warnings.values.map(({ message }) => message)).toEqual([
          expect.stringContaining('tools/call of "a" has no answer yet: it was recorded behind tools/list'),
        ]);
        watch(mcp.listTools());
      });
      at(1_500, () => expect(call.completed).toBe(true));
    });
  });

  it('says nothing where all comes as it came, or in another order', () => {
    const then = lines();
    inVirtualTime(({ at }) => {
      const mcp = connect(replay(then), own());
      const warnings = watch(mcp.warnings$);
      watch(mcp.listTools());
      const call = watch(mcp.callTool('a'));
      at(5_000, () => expect([warnings.values, call.completed]).toEqual([[], true]));
    });
  });
});
