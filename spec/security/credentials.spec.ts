// What a caller gives as a credential, and what is told of a server by whatever goes wrong.
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { map, type Observable } from 'rxjs';
import { connect, connectHttp, type Connector, EraCache } from '../../src/index.js';
import { record } from '../../src/testing/index.js';
import { httpConnector } from '../../src/transport/http/index.js';
import { watch } from '../support/client/watch.js';
import { type Received, serve } from '../support/http/loopback.js';

const SECRET = 'c0ffee-5ecret-0f-a-ca11er';

/** How a server may fail, given where another origin is. */
type Way = (response: ServerResponse, elsewhere: string, repeated: string) => unknown;

/** What came as a credential, in a field or in the query. */
const credentialOf = ({ headers, path }: Received): string =>
  String(headers['x-api-key'] ?? String(headers['authorization'] ?? path.split('=')[1]).replace('Bearer ', ''));

const WAYS: Readonly<Record<string, Way>> = {
  'a refusal that repeats it': (response, _elsewhere, repeated) =>
    response.writeHead(401, { 'www-authenticate': `Bearer error_description="${repeated} is not good"` }).end(),
  'a status that repeats it': (response, _elsewhere, repeated) => response.writeHead(500, `no ${repeated}`).end(),
  'a media type that repeats it': (response, _elsewhere, repeated) =>
    response.writeHead(200, { 'content-type': `text/${repeated}` }).end('{}'),
  'a redirect that repeats it': (response, elsewhere, repeated) =>
    response.writeHead(307, { location: `${elsewhere}/${repeated}` }).end(),
  'a refusal': (response) => response.writeHead(401, { 'www-authenticate': 'Bearer realm="a"' }).end(),
  'a prohibition': (response) => response.writeHead(403).end('no'),
  'a failure': (response) => response.writeHead(500).end('broken'),
  'what is no JSON': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
  'a web page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello'),
  'a redirect to another origin': (response, elsewhere) => response.writeHead(307, { location: elsewhere }).end(),
  'a broken connection': (response) => response.destroy(),
};

/** All there is to see of a value, what is nested and what is hidden from JSON included. */
const shown = (value: unknown): string => inspect(value, { depth: 12, showHidden: true });

describe.each(Object.entries(WAYS))('a credential that is sent to a server that answers with %s', (_what, answer) => {
  it.each(['header', 'provider', 'query'])(
    'is in no stream, no warning and no error, and goes nowhere else: in a %s',
    async (how) => {
      const elsewhere = await serve((_received, response) => response.writeHead(200).end());
      const server = await serve((received, response) => answer(response, elsewhere.url, credentialOf(received)));
      const mcp = connectHttp({
        url: how === 'query' ? `${server.url}?key=${SECRET}` : server.url,
        ...(how === 'header' ? { headers: { 'x-api-key': SECRET } } : {}),
        ...(how === 'provider' ? { authProvider: { token: () => SECRET, onUnauthorized: () => false } } : {}),
        eraCache: new EraCache(),
      });
      const streams: readonly Observable<unknown>[] = [mcp.wire$, mcp.warnings$, mcp.logs$, mcp.notifications$];
      const seen = [...streams, mcp.state$].map((stream$) => watch<unknown>(stream$));
      const failed = await mcp.promises.callTool('echo').then(
        () => undefined,
        (reason: unknown) => reason,
      );
      await mcp.close();
      expect(failed).toBeInstanceOf(Error);
      expect(JSON.stringify(server.received)).toContain(SECRET);
      expect(elsewhere.received).toEqual([]);
      expect(shown(seen.map(({ values }) => values))).not.toContain(SECRET);
      expect(shown(failed)).not.toContain(SECRET);
      expect(String((failed as Error).stack)).not.toContain(SECRET);
    },
  );
});

/** What is told of a secret by a server that was given it, in the ways in which results have it. */
const tellings = (): readonly object[] => {
  const told = { user: 'u', password: SECRET, headers: [{ name: 'Authorization', value: SECRET }] };
  return [
    { content: [{ type: 'text', text: JSON.stringify(told) }], structuredContent: told },
    { content: [{ type: 'text', text: `DB_PASSWORD=${SECRET}\nX-Api-Key: ${SECRET}\nCookie: sid=${SECRET}` }] },
    { content: [{ type: 'text', text: `at https://me:a@${SECRET}@a.example/#access_token=${SECRET}` }] },
    { content: [], structuredContent: { access_token: { type: 'Bearer', value: SECRET }, sessionId: SECRET } },
  ];
};

/** A server that says again whatever it was sent, in a result or in a refusal. */
const echoing = (fails: boolean) =>
  serve(({ body, headers, path }, response) => {
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    const discovered = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
    const text = `it was sent ${JSON.stringify(headers)} at ${path}, in short ${String(headers['x-thing'])} of ${String(headers['authorization'])}`;
    if (method === 'server/discover' || !fails) {
      const result = method === 'server/discover' ? discovered : { content: [{ type: 'text', text }] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } }));
      return;
    }
    const isCall = body.includes('refuse');
    response.writeHead(500, { 'content-type': isCall ? 'application/json' : 'text/plain' });
    response.end(
      isCall ? JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: text, data: { text } } }) : text,
    );
  });

describe('a header of the caller’s own in a session that is recorded', () => {
  const recorded = (onLine: (line: string) => void) => (connector: Connector) => record(connector, { onLine });
  const eachLife =
    (onLine: (line: string) => void) =>
    (connector: Connector): Connector =>
    (form) =>
      connector(form).pipe(map((transport) => record(transport, { onLine })));

  it.each([
    ['a result', false, 'echo', recorded],
    ['an error body', true, 'echo', recorded],
    ['a JSON-RPC error of a refusal', true, 'refuse', recorded],
    ['a result to one life', false, 'echo', eachLife],
  ])('is in no line of it where the server repeats it in %s', async (_what, fails, tool, way) => {
    const server = await echoing(fails);
    const mine = 'c0mmon-thing';
    const lines: string[] = [];
    const mcp = connectHttp({
      url: `${server.url}?page=qu3ry-of-mine`,
      headers: { 'x-thing': mine, authorization: `Basic ${btoa(`me:${SECRET}`)}` },
      wire: way((line) => void lines.push(line)),
      era: 'modern',
      eraCache: new EraCache(),
    });
    const told = await mcp.promises.callTool(tool).catch((reason: unknown) => reason);
    await mcp.close();
    expect(shown(told)).toContain(mine);
    expect(lines.join('\n')).toContain('in short [redacted] of ');
    expect(lines.join('\n')).not.toMatch(/c0mmon-thing|c0ffee|qu3ry|bWU6/);
  });
});

describe('a credential in a session that is recorded', () => {
  it('is in no line of it, whatever the server says of it', async () => {
    const results = tellings();
    const said = [...results];
    const server = await serve(({ body }, response) => {
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      const result =
        method === 'server/discover'
          ? { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
          : method === 'tools/call'
            ? { ...said.shift() }
            : { tools: [] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } }));
    });
    const wire = record(
      httpConnector({ url: `${server.url}?key=${SECRET}`, headers: { authorization: `Bearer ${SECRET}` } }),
    );
    const mcp = connect(wire, { era: 'modern', eraCache: new EraCache(), validateOutput: 'off' });
    for (const result of results)
      expect(await mcp.promises.callTool('echo', { password: SECRET })).toMatchObject(result);
    await mcp.close();
    expect(JSON.stringify(server.received)).toContain(SECRET);
    const answers = wire.lines.map((line) => JSON.parse(line) as { kind: string }).filter(({ kind }) => kind === 'in');
    expect(answers.length).toBeGreaterThan(results.length);
    expect(wire.lines.join('\n')).not.toContain(SECRET);
  });
});
