// Recordings that were cut off, damaged or put together wrongly say so, and at once.
import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { EraCache, OptionError, TimeoutError, TransportError } from '../../../src/index.js';
import { record, replay, scriptedTransport } from '../../../src/testing/index.js';
import { connect } from '../../support/client/connect.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { rejection, thrownBy, watch } from '../../support/client/watch.js';

type Line = Record<string, unknown> & { message?: Record<string, unknown> };

const recorded = async (): Promise<readonly string[]> => {
  const server = scriptedTransport({ 'tools/list': { tools: [] }, 'tools/call': { content: [] } });
  // All of it at once, however busy the machine is.
  const wire = record(server, { scheduler: new VirtualTimeScheduler() });
  const mcp = connect(wire, { era: 'modern', eraCache: new EraCache() });
  await mcp.promises.listTools();
  await mcp.promises.callTool('x');
  await mcp.close();
  return wire.lines;
};

const indexOf = (lines: readonly string[], kind: string, part: string): number =>
  lines.findIndex((line) => line.includes(`"kind":"${kind}"`) && line.includes(part));

describe('a recording that ends before its session did', () => {
  it('fails what was not answered in it, at once and by name', async () => {
    const lines = await recorded();
    const cut = lines.slice(0, indexOf(lines, 'out', 'tools/call') + 1);
    const mcp = connect(replay(cut), { era: 'modern' });
    await mcp.promises.listTools();
    const reason = await rejection(mcp.promises.callTool('x'));
    expect(reason).toBeInstanceOf(TransportError);
    expect(String(reason)).toContain('it ends here, before tools/call of "x" was answered');
    expect(String(await rejection(mcp.promises.callTool('x')))).toContain('it ends here');
  });

  it('is played to its end first', () => {
    const line = (at: number, kind: string, message: object): string => JSON.stringify({ life: 1, at, kind, message });
    const discovered = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
    const lines = [
      '{"life":1,"at":0,"kind":"open","cancelBy":"notice","mirrorsHeaders":false}',
      line(0, 'out', { jsonrpc: '2.0', id: 1, method: 'server/discover' }),
      line(0, 'in', { jsonrpc: '2.0', id: 1, result: discovered }),
      line(0, 'out', {
        jsonrpc: '2.0',
        id: 3,
        method: 'tools/call',
        params: { name: 'x', arguments: {}, _meta: { progressToken: 1 } },
      }),
      line(300, 'in', { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }),
    ];
    inVirtualTime(({ at }) => {
      const mcp = connect(replay(lines), { era: 'modern', eraCache: new EraCache() });
      const call = watch(mcp.callTool('x', {}, { observe: 'events' }));
      at(400, () => {
        expect(call.marks.map(([when, what]) => [when, (what as { kind?: string; name?: string }).kind])).toEqual([
          [300, 'progress'],
          [300, undefined],
        ]);
        expect(call.error).toBeInstanceOf(TransportError);
      });
    });
  });

  it('says nothing of what its client had left unanswered until it closed', async () => {
    const wire = record(scriptedTransport({ 'tools/call': scriptedTransport.silence }));
    const first = connect(wire, { era: 'modern', eraCache: new EraCache() });
    watch(first.callTool('x'));
    await first.close();
    inVirtualTime(({ at }) => {
      const second = connect(replay(wire.lines), { era: 'modern', eraCache: new EraCache(), requestTimeoutMs: 500 });
      const call = watch(second.callTool('x'));
      at(800, () => expect(call.error).toBeInstanceOf(TimeoutError));
    });
  });

  it('loses the half of a line that its text ends with, and tells by a warning', async () => {
    const lines = await recorded();
    const server = replay(lines.join('\n').slice(0, -20));
    expect(server.remaining).toHaveLength(lines.length - 1);
    const mcp = connect(server, { era: 'modern' });
    const warnings = watch(mcp.warnings$);
    await mcp.promises.listTools();
    expect(await mcp.promises.callTool('x')).toMatchObject({ content: [] });
    expect(warnings.values).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('in the middle of a line') }),
    );
  });
});

describe('a recording that is damaged', () => {
  const damaged = async (damage: (lines: Line[], answer: number) => void): Promise<string> => {
    const lines = await recorded();
    const parsed = lines.map((line) => JSON.parse(line) as Line);
    damage(parsed, indexOf(lines, 'in', '"tools":[]'));
    const reason = thrownBy(() => replay(parsed.map((line) => JSON.stringify(line))));
    expect(reason).toBeInstanceOf(OptionError);
    return String(reason);
  };

  it.each<readonly [string, (lines: Line[], answer: number) => void, string]>([
    ['a message is empty', (lines, n) => (lines[n]!.message = {}), 'line 5 is no line'],
    ['an answer has nothing but an id', (lines, n) => (lines[n]!.message = { id: 2 }), 'line 5 is no line'],
    ['an error is null', (lines, n) => (lines[n]!.message = { id: 2, error: null }), 'line 5 is no line'],
    ['a method is a number', (lines, n) => (lines[n]!.message = { method: 7 }), 'line 5 is no line'],
    ['params are a text', (lines, n) => (lines[n]!.message = { method: 'a', params: 'x' }), 'line 5 is no line'],
    ['what is no message has no excerpt', (lines, n) => (lines[n]!.message = { invalid: 5 }), 'line 5 is no line'],
    ['the client sends nothing', (lines) => (lines[1]!.message = {}), 'line 2 is no line'],
    ['a time is beyond all', (lines, n) => (lines[n]!['at'] = 1e300), 'line 5 is no line'],
    ['a time is before the last', (lines, n) => (lines[n - 1]!['at'] = 1e6), 'line 5 is earlier'],
    ['it is not opened', (lines) => lines.shift(), 'line 1 is of life 1, which was not opened'],
    ['it is opened twice', (lines) => lines.splice(1, 0, lines[0]!), 'line 2 opens life 1 a second time'],
    ['it goes on behind its end', (lines) => lines.splice(3, 0, lines.at(-1)!), 'line 5 stands behind'],
    ['a life is missing', (lines) => lines.forEach((line) => (line['life'] = 2)), 'line 1 is of life 2'],
    ['a life is far away', (lines) => (lines.at(-1)!['life'] = 3e7), 'is of life 30000000, which was not opened'],
    ['a life is farther away', (lines) => (lines.at(-1)!['life'] = 2 ** 33), 'is of life 8589934592'],
    ['an answer stands before its request', (lines) => lines.splice(1, 2, lines[2]!, lines[1]!), 'line 2 answers'],
    ['a request stands twice', (lines) => lines.splice(4, 0, lines[3]!), 'line 5 sends the request 2 a second time'],
    ['what was left unanswered is no list', (lines) => (lines.at(-1)!['unanswered'] = 'a'), 'line 8 is no line'],
    ['the terms of a wire are none', (lines) => (lines[0]!['retry'] = { attempts: 'a' }), 'line 1 is no line'],
    ['the channel of a message is none', (lines, n) => (lines[n]!['on'] = {}), 'line 5 is no line'],
    [
      'a failure is none',
      (lines, n) => (lines[n] = { life: 1, at: lines[n]!['at'], kind: 'fail' }),
      'line 5 is no line',
    ],
  ])('is refused where %s', async (_what, damage, said) => {
    expect(await damaged(damage)).toMatch(new RegExp(said));
  });

  it.each<readonly [string, string]>([
    ['{"life":1,"at":1,"kind":"inn"}', 'its kind is "inn": there are open, unopened, in, out, fail, end'],
    ['{"life":1,"at":1}', 'it has no kind'],
    ['{"at":1,"kind":"end"}', 'its life is no whole number'],
    ['{"life":1,"kind":"end"}', 'its at is no time in ms'],
    ['{"life":1,"at":1,"kind":"in","message":{}}', 'its message is no message of JSON-RPC'],
    ['{"life":1,"at":1,"kind":"fail"}', 'its error is none'],
    ['x', 'it is no JSON'],
    ['[]', 'it is no JSON object'],
  ])('says what is wrong with the line %s', async (line, why) => {
    const [first = ''] = await recorded();
    expect(String(thrownBy(() => replay([first, line])))).toContain(`line 2 is no line of a recording: ${why}`);
  });

  it('is none where a path is given: it says what reads a file', () => {
    expect(String(thrownBy(() => replay('session.jsonl')))).toContain('of a file, give what loadRecording reads');
  });

  it.each([
    ['tools/list', '"tools":[]'],
    ['tools/call', '"content":[]'],
  ])('says at once that it has no answer to %s, where that was taken out', async (method, part) => {
    const lines = [...(await recorded())];
    lines.splice(indexOf(lines, 'in', part), 1);
    const mcp = connect(replay(lines, { keepTimes: false }), { era: 'modern', eraCache: new EraCache() });
    const outcomes = await Promise.allSettled([mcp.promises.listTools(), mcp.promises.callTool('x')]);
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(reasons).toEqual([expect.any(TransportError)]);
    expect(String(reasons[0])).toContain(`it has no answer to ${method}`);
  });

  it('is read as a wire reads it: params that are null are none, and so is an id of null of an error', async () => {
    const lines = [...(await recorded())];
    const at = indexOf(lines, 'in', '"tools":[]');
    const { at: when } = JSON.parse(lines[at]!) as { at: number };
    lines.splice(at, 0, JSON.stringify({ life: 1, at: when, kind: 'in', message: { method: 'x/y', params: null } }));
    const mcp = connect(replay(lines, { keepTimes: false }), { era: 'modern' });
    expect(await mcp.promises.listTools()).toEqual([]);
  });

  it.each([
    ['a mark of its byte order', (text: string) => `\uFEFF${text}`],
    ['lines that end as on old machines', (text: string) => text.replaceAll('\n', '\r')],
  ])('is none where it has %s', async (_what, changed) => {
    const lines = await recorded();
    expect(replay(changed(lines.join('\n'))).remaining).toHaveLength(lines.length);
  });

  it('waits longer than a timer can, where that was recorded', () => {
    const open = '{"life":1,"at":0,"kind":"open","cancelBy":"notice","mirrorsHeaders":false}';
    const month = 31 * 86_400_000;
    const late = `{"life":1,"at":${month},"kind":"in","message":{"method":"x/y"}}`;
    inVirtualTime(({ at }) => {
      const seen: unknown[] = [];
      replay([open, late])().subscribe(({ inbound$ }) =>
        inbound$.subscribe({ next: (message) => seen.push(message), error: () => undefined }),
      );
      at(2_147_483_647, () => expect(seen).toEqual([]));
      at(2_147_483_647, () => at(month - 2_147_483_647, () => expect(seen).toHaveLength(1)));
    });
  });
});
