import { describe, expect, it } from '@jest/globals';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { acknowledging, tell } from '../support/client/listening.js';
import { ERAS, scriptedLives, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

describe.each(ERAS)('case 36: change notices in the %s era', (era) => {
  const notify = (server: ScriptedTransport): void => {
    const method = 'notifications/tools/list_changed';
    if (era === 'modern') tell(server, method);
    else server.push({ method });
  };

  const served = () => {
    const stock = { version: 0 };
    const script = {
      'tools/list': () => ({ tools: [{ name: `v${stock.version}`, inputSchema: { type: 'object' } }] }),
      'subscriptions/listen': acknowledging(),
    };
    const lives = scriptedLives(() => scriptedTransport(script, { era }));
    const client = connect(lives, { era });
    return { stock, client, server: () => lives.opened[0]! };
  };

  it('are not ignored: whoever follows the list sees each state that lasts', () => {
    inVirtualTime(({ at }) => {
      const { stock, client, server } = served();
      const { values } = watch(client.tools$);
      for (let version = 1; version <= 5; version += 1) {
        at(version * 1_000, () => {
          stock.version = version;
          notify(server());
        });
      }
      at(10_000, () => expect(values.map(([tool]) => tool?.name)).toEqual(['v0', 'v1', 'v2', 'v3', 'v4', 'v5']));
    });
  });

  it('of which there are ten thousand in a second cost five reads at most, and the last state is seen', () => {
    inVirtualTime(({ at }) => {
      const { stock, client, server } = served();
      const followers = Array.from({ length: 20 }, () => watch(client.tools$));
      let before = 0;
      at(5_000, () => {
        before = sentTo(server(), 'tools/list').length;
        expect(before).toBe(1);
      });
      for (let ms = 0; ms < 1_000; ms += 1) {
        at(5_001 + ms, () => {
          for (let notice = 0; notice < 10; notice += 1) {
            stock.version += 1;
            notify(server());
          }
        });
      }
      at(10_000, () => {
        expect(sentTo(server(), 'tools/list').length - before).toBeLessThanOrEqual(5);
        expect(followers.map(({ values }) => values.at(-1)?.[0]?.name)).toEqual(followers.map(() => 'v10000'));
      });
    });
  });
});
