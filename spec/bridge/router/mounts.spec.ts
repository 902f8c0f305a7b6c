import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject, firstValueFrom, of, Subject } from 'rxjs';
import { offerBackend } from '../../../src/bridge/own-backend.js';
import type { Mount } from '../../../src/bridge/router/mount.js';
import { type MountOptions, Mounts } from '../../../src/bridge/router/mounts.js';
import { OptionError, type Tool, type ToolProvider } from '../../../src/index.js';
import { rejection, thrownBy, watch } from '../../support/client/watch.js';
import { handProvider } from '../../support/providers/hand.js';

const culprit = (work: () => unknown): string => {
  const thrown = thrownBy(work);
  expect(thrown).toBeInstanceOf(OptionError);
  return (thrown as OptionError).option;
};

const prefixes = (mounts: Mounts): string[] => mounts.all.map(({ prefix }) => prefix);

describe('mounts', () => {
  it.each([[undefined], [null], ['files'], [{}], [{ toolsForLlm: () => [] }], [{ executeToolCalls: () => [] }]])(
    'take no %p for a provider',
    (provider) => {
      const add = () => {
        new Mounts('_').add(provider as unknown as ToolProvider, { prefix: 'a' });
      };
      expect(culprit(add)).toBe('provider');
      expect(thrownBy(add)).toHaveProperty(
        'message',
        expect.stringContaining(
          'give an object with toolsForLlm and executeToolCalls: a client, a toolkit, a registry',
        ),
      );
    },
  );

  it('take nothing that is, or holds, what they are themselves', () => {
    const sides = [new Mounts('_'), new Mounts('_'), new Mounts('_')].map((mounts) => {
      const provider = handProvider([]);
      offerBackend(provider, mounts.router, provider);
      return { mounts, provider };
    });
    const [a, b, c] = sides as unknown as [(typeof sides)[0], (typeof sides)[0], (typeof sides)[0]];
    a.mounts.add(handProvider([]), { prefix: 'plain' });
    a.mounts.add(b.provider, { prefix: 'b' });
    b.mounts.add(c.provider, { prefix: 'c' });
    a.mounts.add(c.provider, { prefix: 'again' });
    for (const inner of [a, b, c]) {
      const thrown = thrownBy(() => {
        inner.mounts.add(a.provider, { prefix: 'round' });
      });
      expect(thrown).toBeInstanceOf(OptionError);
      expect(thrown).toMatchObject({
        option: 'provider',
        message: expect.stringContaining('it is, or holds, what it would be added to: its calls would never end'),
      });
      expect(prefixes(inner.mounts)).not.toContain('round');
    }
  });

  it.each<readonly [string, unknown]>([
    ['options', undefined],
    ['options', 'a'],
    ['prefix', {}],
    ['prefix', { prefix: '' }],
    ['prefix', { prefix: 5 }],
    ['prefx', { prefx: 'a' }],
    ['overlap', { prefix: 'a', overlap: 'always' }],
    ['toolConcurrency', { prefix: 'a', toolConcurrency: 0 }],
  ])('are an OptionError that names %s for %j', (option, options) => {
    const mounts = new Mounts('_');
    expect(
      culprit(() => {
        mounts.add(handProvider([]), options as MountOptions);
      }),
    ).toBe(option);
    expect(mounts.all).toEqual([]);
  });

  it('take a prefix once, and again when it is free', () => {
    const mounts = new Mounts('_');
    const [one, other] = [handProvider([]), handProvider([])];
    mounts.add(one, { prefix: 'a' });
    const again = (): void => {
      mounts.add(other, { prefix: 'a' });
    };
    expect(culprit(again)).toBe('prefix');
    expect(thrownBy(again)).toHaveProperty('message', expect.stringContaining('there is a provider under "a" already'));
    expect(mounts.remove('a')).toBe(one);
    const before = mounts.all;
    expect(mounts.remove('a')).toBeUndefined();
    expect(mounts.all).toBe(before);
    mounts.add(other, { prefix: 'a' });
    mounts.add(one, { prefix: 'a_b', overlap: 'never', toolConcurrency: 2 });
    expect(mounts.all).toEqual([
      { prefix: 'a', provider: other },
      { prefix: 'a_b', provider: one, overlap: 'never', toolConcurrency: 2 },
    ]);
  });

  it('lose the one provider that is taken out', () => {
    const mounts = new Mounts('_');
    const [one, other] = [handProvider([]), handProvider([])];
    mounts.add(one, { prefix: 'a' });
    mounts.add(other, { prefix: 'b' });
    expect(mounts.remove('b')).toBe(other);
    expect(prefixes(mounts)).toEqual(['a']);
  });

  it('have a live list that all who look share, with the latest for those who come later', () => {
    const mounts = new Mounts('_');
    const tools$ = new Subject<readonly Tool[]>();
    let subscriptions = 0;
    const live = handProvider([], undefined, {
      tools$: of(undefined).pipe(() => {
        subscriptions += 1;
        return tools$;
      }),
    });
    mounts.add(live, { prefix: 'a' });
    const [one, other] = [watch(mounts.tools$), watch(mounts.tools$)];
    tools$.next([{ name: 'x', inputSchema: { type: 'object' } }]);
    const late = watch(mounts.tools$);
    expect([one.values.length, other.values[0], late.values[0]]).toEqual([1, one.values[0], one.values[0]]);
    expect(subscriptions).toBe(1);
    for (const { subscription } of [one, other, late]) subscription.unsubscribe();
    expect(tools$.observed).toBe(false);
    // Nothing is replayed of what nobody has looked at since.
    expect(watch(mounts.tools$).values).toEqual([]);
  });

  it('are replaced at one go, and what stays is not let go of', () => {
    const lists = ['a', 'b', 'c'].map(() => new BehaviorSubject<readonly Tool[]>([]));
    const [a, b, c] = lists.map((tools$, index) => ({
      prefix: `${index}`,
      provider: handProvider([], undefined, { tools$ }),
    })) as unknown as [Mount, Mount, Mount];
    for (const [index, tools$] of lists.entries()) {
      tools$.next([{ name: `mcp__${index}`, inputSchema: { type: 'object' } }]);
    }
    const mounts = new Mounts('_');
    mounts.replace([a, b]);
    const seen = watch(mounts.tools$);
    mounts.replace([c, b]);
    expect(mounts.all).toEqual([c, b]);
    expect(seen.values.map((tools) => tools.map(({ name }) => name))).toEqual([
      ['0_mcp__0', '1_mcp__1'],
      ['2_mcp__2', '1_mcp__1'],
    ]);
    expect(lists.map(({ observed }) => observed)).toEqual([false, true, true]);
    seen.subscription.unsubscribe();
  });

  it('say why they are closed', async () => {
    const reasons = [undefined, 'the shop is shut'].map((reason) => {
      const mounts = new Mounts('_');
      mounts.close(reason);
      mounts.close('later');
      return rejection(firstValueFrom(mounts.router.list({}))).then((error) => (error as Error).message);
    });
    expect(await Promise.all(reasons)).toEqual(['the registry is closed', 'the shop is shut']);
  });

  it('complete the live list when they are closed, also for those who come later, and still let go of providers', () => {
    const mounts = new Mounts('_', [{ prefix: '', provider: handProvider([], undefined, { tools$: new Subject() }) }]);
    const before = watch(mounts.tools$);
    mounts.close();
    mounts.close();
    expect([before.completed, watch(mounts.tools$).completed]).toEqual([true, true]);
    expect(mounts.remove('')).toBeDefined();
    expect(prefixes(mounts)).toEqual([]);
  });
});
