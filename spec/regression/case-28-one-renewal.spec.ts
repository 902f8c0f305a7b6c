import { describe, expect, it } from '@jest/globals';
import { type AuthProvider, connectHttp, EraCache } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { reply, serve } from '../support/http/loopback.js';
import { peer } from '../support/http/peer.js';

describe('case 28: a token that expires under several calls', () => {
  it.each(['modern', 'legacy'] as const)('is renewed once, and every call runs once: %s', async (era) => {
    const ran: string[] = [];
    let accepted = 'one';
    let held: (() => void)[] = [];
    const behind = peer({ era, ran, session: () => 's1' });
    const server = await serve(async (received, response, request) => {
      if (received.headers['authorization'] === `Bearer ${accepted}`) return behind(received, response, request);
      // All five are out before any is refused, and the last is refused after the renewal.
      await new Promise<void>((resolve) => {
        held.push(resolve);
        if (held.length === 5) for (const refuse of held.splice(0, 4)) refuse();
      });
      return reply(response, 401, '', { 'www-authenticate': 'Bearer error="invalid_token"' });
    });
    let renewals = 0;
    let token = 'one';
    const authProvider: AuthProvider = {
      token: () => token,
      onUnauthorized: () => {
        renewals += 1;
        token = accepted;
        for (const refuse of held.splice(0)) setImmediate(refuse);
        return true;
      },
    };
    const client = closing(connectHttp({ url: server.url, eraCache: new EraCache(), authProvider }));
    await client.promises.listTools();
    accepted = 'two';
    held = [];
    await Promise.all([1, 2, 3, 4, 5].map(() => client.promises.callTool('pay')));
    expect([renewals, ran.length]).toEqual([1, 5]);
  });
});
