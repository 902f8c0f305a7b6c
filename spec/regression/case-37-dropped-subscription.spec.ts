import { describe, expect, it } from '@jest/globals';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { acknowledging, drop, openOn, tell } from '../support/client/listening.js';
import { scriptedLives, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

describe('case 37: a subscription that drops', () => {
  it('ten times in a row, one way or another, is followed by another each time, one read, and no change missed', () => {
    inVirtualTime(({ at }) => {
      let tools = 0;
      const lives = scriptedLives(() =>
        scriptedTransport({
          'tools/list': () => ({ tools: [{ name: String(tools), inputSchema: { type: 'object' } }] }),
          'subscriptions/listen': acknowledging(),
        }),
      );
      const client = connect(lives);
      const { values, error } = watch(client.tools$);
      const over: (readonly [life: number, id: string | number])[] = [];
      const open = (): (string | number)[] => {
        const life = lives.opened.length;
        return openOn(lives.opened.at(-1)!).filter((id) => !over.some(([of, gone]) => of === life && gone === id));
      };
      const ways = ['answer', 'notice', 'death'] as const;
      for (let time = 0; time < 10; time += 1) {
        at(10_000 + time * 60_000, () => {
          const server = lives.opened.at(-1)!;
          const way = ways[time % 3]!;
          const [id] = open();
          over.push([lives.opened.length, id!]);
          if (way === 'death') server.die();
          else drop(server, id!, way);
          // Nobody is told of this one.
          tools += 1;
        });
      }
      at(700_000, () => {
        const reads = lives.opened.flatMap((server) => sentTo(server, 'tools/list'));
        expect(over).toHaveLength(10);
        expect(reads).toHaveLength(11);
        expect(open()).toHaveLength(1);
        expect(values.map(([tool]) => tool?.name)).toEqual(Array.from({ length: 11 }, (_, time) => String(time)));
        expect(error).toBeUndefined();
        tools = 99;
        tell(lives.opened.at(-1)!, 'notifications/tools/list_changed');
        expect(values.at(-1)?.[0]?.name).toBe('99');
      });
    });
  });
});
