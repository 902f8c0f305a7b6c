import { describe, expect, it } from '@jest/globals';
import { liveToolsOf } from '../../../src/config/managed/live-tools.js';
import { Offer } from '../../../src/config/managed/offer.js';
import type { Tool } from '../../../src/protocol/schemas/index.js';
import { scriptedTransport } from '../../../src/testing/index.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';
import { supervised } from '../../support/config/supervised.js';

const namesOf = (lists: readonly (readonly Tool[])[]): string[][] => lists.map((list) => list.map(({ name }) => name));

/** A supervised server whose life has the tools of its number. */
const live = (toolsOf: (life: number) => readonly string[], maxRestarts = 3) => {
  const held = supervised(
    (life) =>
      scriptedTransport({
        'tools/list': () => ({ tools: toolsOf(life).map((name) => ({ name, inputSchema: { type: 'object' } })) }),
      }),
    { maxRestarts },
  );
  const offer = new Offer('mcp__k__', {});
  const tools$ = liveToolsOf(held.client, held.supervisor, offer);
  return { ...held, offer, tools$ };
};

describe('the live list of the tools of a managed server', () => {
  it('is empty before it is connected, then has them by their names, and what comes of changes', () => {
    inVirtualTime(({ at }) => {
      let names = ['a'];
      const { supervisor, tools$, offer, last } = live(() => names);
      const seen = watch(tools$);
      expect(seen.values).toEqual([[]]);
      void supervisor.start();
      at(10, () => {
        expect(namesOf(seen.values)).toEqual([[], ['mcp__k__a']]);
        names = ['a', 'b'];
        last().push({ method: 'notifications/tools/list_changed' });
      });
      at(5_000, () => {
        expect(namesOf(seen.values).at(-1)).toEqual(['mcp__k__a', 'mcp__k__b']);
        offer.adopt({ blockedTools: ['a'] });
        expect(namesOf(seen.values).at(-1)).toEqual(['mcp__k__b']);
        expect(namesOf(watch(tools$).values)).toEqual([['mcp__k__b']]);
      });
    });
  });

  it('has what the start has listed as soon as it is connected, and once', () => {
    inVirtualTime(({ at }) => {
      const { supervisor, tools$, offer, listed } = live(() => ['a']);
      const seen = watch(tools$);
      supervisor.state$.subscribe(({ status }) => {
        if (status === 'connected') expect(namesOf(seen.values)).toEqual([[], ['mcp__k__a']]);
      });
      offer.listed([{ name: 'a', inputSchema: { type: 'object' } }]);
      void supervisor.start();
      at(20_000, () => {
        expect(listed).toEqual([['a']]);
        expect(namesOf(seen.values)).toEqual([[], ['mcp__k__a']]);
      });
    });
  });

  it('is kept while the server is started again, and is what that has then', () => {
    inVirtualTime(({ at }) => {
      const { supervisor, tools$, last } = live((life) => (life === 1 ? ['a'] : ['b']));
      const seen = watch(tools$);
      void supervisor.start();
      at(10, () => last().die());
      at(20_000, () => expect(namesOf(seen.values)).toEqual([[], ['mcp__k__a'], ['mcp__k__b']]));
    });
  });

  it('is empty once the server has failed, and completes when it is stopped', () => {
    inVirtualTime(({ at }) => {
      const { supervisor, tools$, last } = live(() => ['a'], 0);
      const seen = watch(tools$);
      void supervisor.start();
      at(10, () => {
        last().die();
        expect(namesOf(seen.values)).toEqual([[], ['mcp__k__a'], []]);
        expect(seen.completed).toBe(false);
        void supervisor.stop();
        expect(seen).toMatchObject({ completed: true, error: undefined });
      });
    });
  });
});
