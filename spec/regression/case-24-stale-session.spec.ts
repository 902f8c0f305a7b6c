import { describe, expect, it } from '@jest/globals';
import { connectHttp, EraCache } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { type Loopback, messageOf, reply, serve, stream } from '../support/http/loopback.js';
import { peer } from '../support/http/peer.js';
import { until } from '../support/http/turns.js';

const start = async () => {
  let session = 's1';
  const server = await serve(
    peer({ era: 'legacy', session: () => session, get: (_received, response) => stream(response).write(': open\n\n') }),
  );
  const client = closing(connectHttp({ url: server.url, eraCache: new EraCache() }));
  return {
    server,
    client,
    renew: (id: string) => {
      session = id;
    },
  };
};

/** What was sent, and in which session. */
const sent = ({ received }: Loopback): string[] =>
  received.map((one) => `${messageOf(one).method ?? one.method} ${String(one.headers['mcp-session-id'] ?? '-')}`);

describe('case 24: the id of a session', () => {
  it('goes with nothing any longer once there is another', async () => {
    const { server, client, renew } = await start();
    await client.promises.callTool('pay');
    await until(() => sent(server).includes('GET s1'));
    renew('s2');
    await client.promises.callTool('pay');
    const before = sent(server).length;
    await client.promises.callTool('pay');
    await client.promises.listTools({ refresh: true });
    await until(() => sent(server).includes('GET s2'));
    expect(sent(server)).toContain('initialize -');
    expect(
      sent(server)
        .slice(before)
        .filter((line) => line.endsWith(' s1')),
    ).toEqual([]);
    expect(sent(server)).toContain('notifications/initialized s2');
  });

  it('is given back when the client is closed: the one in use, once, and the old one never', async () => {
    const { server, client, renew } = await start();
    await client.promises.callTool('pay');
    renew('s2');
    await client.promises.callTool('pay');
    await client.close();
    await client.close();
    expect(sent(server).filter((line) => line.startsWith('DELETE'))).toEqual(['DELETE s2']);
    expect(server.received.at(-1)?.method).toBe('DELETE');
  });

  it('is adopted from each handshake, even if none was named before, or none is any longer', async () => {
    const its: { session?: string } = {};
    const server = await serve((received, response, request) =>
      peer({ era: 'legacy', ...(its.session === undefined ? undefined : { session: () => String(its.session) }) })(
        received,
        response,
        request,
      ),
    );
    const client = closing(connectHttp({ url: server.url, era: 'legacy', eraCache: new EraCache() }));
    await client.promises.callTool('pay');
    expect(sent(server).filter((line) => !line.endsWith(' -'))).toEqual([]);
    await client.close();
    expect(sent(server).filter((line) => line.startsWith('DELETE'))).toEqual([]);
    its.session = 's1';
    const second = closing(connectHttp({ url: server.url, era: 'legacy', eraCache: new EraCache() }));
    await second.promises.callTool('pay');
    expect(sent(server).at(-1)).toBe('tools/call s1');
  });

  it('that cannot be given back keeps nobody waiting', async () => {
    const behind = peer({ era: 'legacy', session: () => 's1' });
    const server = await serve((received, response, request) =>
      received.method === 'DELETE' ? reply(response, 405) : behind(received, response, request),
    );
    const client = closing(connectHttp({ url: server.url, eraCache: new EraCache() }));
    await client.promises.callTool('pay');
    await client.close();
    expect(sent(server).at(-1)).toBe('DELETE s1');
  });
});
