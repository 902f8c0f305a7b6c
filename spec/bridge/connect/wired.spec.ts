import { describe, expect, it } from '@jest/globals';
import { OptionError } from '../../../src/index.js';
import { wired } from '../../../src/bridge/connect/wired.js';
import { connectHttp } from '../../../src/bridge/connect/http.js';
import { record } from '../../../src/testing/index.js';
import type { Connector } from '../../../src/transport/index.js';
import { thrownBy } from '../../support/client/watch.js';
import { serve } from '../../support/http/loopback.js';
import { peer } from '../../support/http/peer.js';

const NEVER_OPENED: Connector = () => {
  throw new Error('opened');
};

describe('a wire', () => {
  it('is what it is where nothing is to stand around it', () => {
    expect(wired(NEVER_OPENED, undefined)).toBe(NEVER_OPENED);
  });

  it('is what is made of it, once, and not opened for that', () => {
    const [other, given]: [Connector, Connector[]] = [() => NEVER_OPENED(), []];
    const around = (connector: Connector): Connector => {
      given.push(connector);
      return other;
    };
    expect(wired(NEVER_OPENED, around)).toBe(other);
    expect(given).toEqual([NEVER_OPENED]);
  });

  it.each([null, 'session.jsonl', {}, () => undefined, () => ({}), () => Promise.resolve(NEVER_OPENED)])(
    'is refused where %p should stand around it',
    (around) => {
      const error = thrownBy(() => wired(NEVER_OPENED, around));
      expect(error).toBeInstanceOf(OptionError);
      const message =
        typeof around === 'function'
          ? 'what it returns is no Connector'
          : 'give a function from a Connector to a Connector';
      expect(error).toMatchObject({ option: 'wire', message: expect.stringContaining(message) });
    },
  );

  it.each(['modern', 'legacy'] as const)(
    'of a real server (%s) is recorded, and the client goes on as ever',
    async (era) => {
      const server = await serve(peer({ era }));
      let lines: () => readonly string[] = () => [];
      const mcp = connectHttp({
        url: server.url,
        wire: (connector) => {
          const recorded = record(connector);
          lines = () => recorded.lines;
          return recorded;
        },
      });
      expect(lines()).toEqual([]);
      expect(await mcp.promises.era()).toBe(era);
      await mcp.close();
      expect(lines().join('\n')).toContain(era === 'modern' ? 'server/discover' : '"method":"initialize"');
    },
  );
});
