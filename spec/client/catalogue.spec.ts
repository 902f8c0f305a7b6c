import { describe, expect, it } from '@jest/globals';
import { Catalogue, comparison } from '../../src/client/catalogue.js';
import { type McpClient, OutcomeUnknownError, type Tool } from '../../src/index.js';
import type { Session } from '../../src/session/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { scriptedLives } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';
import { unloaded } from '../support/unloaded-part.js';

const tool = (name: string, annotations?: Tool['annotations']): Tool => ({
  name,
  inputSchema: { type: 'object' },
  ...(annotations === undefined ? {} : { annotations }),
});

/** Sessions are told apart by identity alone. */
const session = (): Session => Object.create(null) as Session;

const made = (current: () => Session | undefined, told: unknown[] = []): Catalogue =>
  new Catalogue(current, (reason) => told.push(reason));

describe('the catalogue', () => {
  it('knows the tools of the last list, and no others', () => {
    const one = session();
    const catalogue = made(() => one);
    expect(catalogue.get('a')).toBeUndefined();
    catalogue.keep([tool('a'), tool('b')]);
    expect(catalogue.get('a')).toEqual(tool('a'));
    catalogue.keep([tool('b')]);
    expect(catalogue.get('a')).toBeUndefined();
    expect(catalogue.get('b')).toEqual(tool('b'));
    expect(catalogue.get('__proto__')).toBeUndefined();
  });

  it('forgets at a change notice', () => {
    const one = session();
    const catalogue = made(() => one);
    catalogue.keep([tool('a')]);
    catalogue.drop();
    expect(catalogue.get('a')).toBeUndefined();
  });

  it('says nothing of another connection than the one it was read from', () => {
    let current: Session | undefined = session();
    const catalogue = made(() => current);
    catalogue.keep([tool('a')]);
    current = session();
    expect(catalogue.get('a')).toBeUndefined();
    current = undefined;
    expect(catalogue.get('a')).toBeUndefined();
  });

  it('keeps nothing while there is no connection', () => {
    const catalogue = made(() => undefined);
    catalogue.keep([tool('a')]);
    expect(catalogue.get('a')).toBeUndefined();
  });

  it.each([
    [{ readOnlyHint: true }, true],
    [{ idempotentHint: true }, true],
    [{ readOnlyHint: true, idempotentHint: false, destructiveHint: true }, true],
    [{ destructiveHint: false }, false],
    [{ readOnlyHint: false, idempotentHint: false }, false],
    [{}, false],
    [undefined, false],
  ])('calls a tool annotated %j repeatable: %p, where it is trusted', (annotations, expected) => {
    const one = session();
    const catalogue = made(() => one);
    catalogue.keep([tool('a', annotations)]);
    expect(catalogue.repeatable('a', 'all')).toBe(expected);
    expect(catalogue.repeatable('a', 'overlap')).toBe(false);
    expect(catalogue.repeatable('a', 'none')).toBe(false);
  });

  it('calls nothing repeatable that is not in it, nor what is annotated with anything but true', () => {
    const one = session();
    const catalogue = made(() => one);
    catalogue.keep([tool('a', { readOnlyHint: 'yes' as unknown as boolean })]);
    expect(catalogue.repeatable('a', 'all')).toBe(false);
    expect(catalogue.repeatable('b', 'all')).toBe(false);
  });
});

describe('what the catalogue knows ages:', () => {
  it('after its ttl a tool is not known any longer, until it is listed again', () => {
    inVirtualTime(({ at }) => {
      const one = session();
      const catalogue = made(() => one);
      catalogue.keep([tool('a', { readOnlyHint: true })], 500);
      at(499, () => expect(catalogue.get('a')).toBeDefined());
      at(500, () => {
        expect([catalogue.get('a'), catalogue.repeatable('a', 'all')]).toEqual([undefined, false]);
        catalogue.keep([tool('a')], 500);
        expect(catalogue.get('a')).toBeDefined();
      });
    });
  });

  it('a list without a ttl does not', () => {
    inVirtualTime(({ at }) => {
      const one = session();
      const catalogue = made(() => one);
      catalogue.keep([tool('a')], 0);
      at(86_400_000, () => expect(catalogue.get('a')).toBeDefined());
    });
  });
});

describe('changes$ of the catalogue', () => {
  it('tells what differs from the list before, and nothing of the first list or an equal one', () => {
    const one = session();
    const catalogue = made(() => one);
    const { values } = watch(catalogue.changes$);
    catalogue.keep([tool('a')]);
    catalogue.keep([tool('a')]);
    expect(values).toEqual([]);
    catalogue.keep([tool('b')]);
    expect(values).toEqual([{ added: [tool('b')], removed: [tool('a')], changed: [] }]);
  });

  it('compares with the list before also where it was dropped, or read on another connection', () => {
    let current = session();
    const catalogue = made(() => current);
    const { values } = watch(catalogue.changes$);
    catalogue.keep([tool('a')]);
    catalogue.drop();
    current = session();
    catalogue.keep([tool('a', { readOnlyHint: true })]);
    expect(values).toEqual([
      { added: [], removed: [], changed: [{ before: tool('a'), after: tool('a', { readOnlyHint: true }) }] },
    ]);
  });

  it('compares with the last list, though nobody listened when it was read', () => {
    const one = session();
    const catalogue = made(() => one);
    catalogue.keep([tool('a')]);
    catalogue.keep([tool('b')]);
    const { values } = watch(catalogue.changes$);
    catalogue.keep([tool('c')]);
    expect(values).toEqual([{ added: [tool('c')], removed: [tool('b')], changed: [] }]);
  });

  it('tells each change in its order, as soon as what compares lists is loaded', async () => {
    const slow = unloaded(comparison);
    const one = session();
    const catalogue = made(() => one);
    const { values } = watch(catalogue.changes$);
    for (const name of ['a', 'b', 'c']) catalogue.keep([tool(name)]);
    expect([values, catalogue.get('c')]).toEqual([[], tool('c')]);
    await slow.arrive();
    expect(values).toEqual([
      { added: [tool('b')], removed: [tool('a')], changed: [] },
      { added: [tool('c')], removed: [tool('b')], changed: [] },
    ]);
  });

  it('goes on, and hands over the reason, where that cannot be loaded', async () => {
    const slow = unloaded(comparison);
    const told: unknown[] = [];
    const one = session();
    const catalogue = made(() => one, told);
    const seen = watch(catalogue.changes$);
    for (const name of ['a', 'b']) catalogue.keep([tool(name)]);
    await slow.fail(new Error('gone'));
    expect([seen.values, seen.error]).toEqual([[], undefined]);
    expect(told).toEqual([expect.objectContaining({ name: 'TransportError' })]);
    expect(catalogue.get('b')).toEqual(tool('b'));
  });

  it('completes with the client', () => {
    const catalogue = made(() => undefined);
    const seen = watch(catalogue.changes$);
    catalogue.close();
    expect([seen.completed, seen.error]).toEqual([true, undefined]);
  });
});

describe('a client takes a tool for safe to repeat', () => {
  const listed = { tools: [{ ...tool('a'), annotations: { readOnlyHint: true } }], ttlMs: 1_000 };

  /** What becomes of a call whose server dies under it. */
  const outcome = (client: McpClient, lives: ReturnType<typeof scriptedLives>): unknown => {
    const call = watch(client.callTool('a'));
    lives.opened.at(-1)?.die();
    return call.error ?? call.values[0];
  };

  const serving = (list: object = listed) => {
    const lives = scriptedLives((life) =>
      scriptedTransport({
        'tools/list': list,
        'tools/call': life === 1 ? scriptedTransport.silence : { content: [] },
      }),
    );
    return { lives, client: connect(lives, { trustAnnotations: 'all' }) };
  };

  it.each([
    [999, true],
    [1_000, false],
  ])('while the list that says so is fresh: after %p ms, %p', (ms, safe) => {
    inVirtualTime(({ at }) => {
      const { client, lives } = serving();
      watch(client.listTools());
      // One that is served from the cache is no younger for it.
      at(500, () => watch(client.listTools()));
      at(ms, () => {
        const result = outcome(client, lives);
        if (safe) expect(result).toEqual({ resultType: 'complete', content: [] });
        else expect(result).toBeInstanceOf(OutcomeUnknownError);
      });
    });
  });

  it('until the server says that its tools have changed', () => {
    inVirtualTime(() => {
      const { client, lives } = serving();
      watch(client.listTools());
      lives.opened[0]?.push({ method: 'notifications/prompts/list_changed' });
      lives.opened[0]?.push({ method: 'notifications/tools/list_changed' });
      expect(outcome(client, lives)).toBeInstanceOf(OutcomeUnknownError);
    });
  });

  it('until that list is being asked for anew', () => {
    inVirtualTime(() => {
      const answers: object[] = [listed];
      const { client, lives } = serving(() => answers.shift() ?? scriptedTransport.silence);
      watch(client.listTools());
      watch(client.listTools({ refresh: true }));
      expect(outcome(client, lives)).toBeInstanceOf(OutcomeUnknownError);
    });
  });
});
