import { describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom } from 'rxjs';
import type { ManagedState } from '../../../src/config/managed/state.js';
import { ManagedServers } from '../../../src/config/servers/managed-servers.js';
import {
  CancelledError,
  OptionError,
  Registry,
  type Tool,
  type ToolResult,
  TransportClosedError,
} from '../../../src/index.js';
import { allGone, isRunning } from '../../support/child-processes.js';
import { rejection, watch } from '../../support/client/watch.js';
import { broken, mute, opening, pidOf, stall } from '../../support/servers/stall.js';

const call = (name: string, id = name) => ({ id, name, arguments: {} });

const namesOf = (tools: readonly Tool[]): string[] => tools.map(({ name }) => name);

const statusOf = (states: ReadonlyMap<string, ManagedState>): string =>
  [...states].map(([key, { status }]) => `${key}=${status}`).join(' ');

/** What a model is told of a server that is not connected. */
const AWAY = expect.stringMatching(/^TransportClosedError: the server of this tool is not available/);

/** What the application is told. */
const whyOf = ({ error }: ToolResult): unknown => (error instanceof TransportClosedError ? error.message : error);

const contentsOf = (results: readonly ToolResult[]): unknown[] => results.map(({ content }) => content);

describe('the servers of a config', () => {
  it('are started together, and each comes out as it can', async () => {
    const servers = opening({
      mcpServers: {
        good: stall('good', ['read']),
        broken: broken(),
        off: stall('off', [], { disabled: true }),
        unset: stall('unset', [], { env: { KEY: '${RX_MCP_NOT_SET}' } }),
        too: stall('too', ['read']),
      },
    });
    expect([servers.file, servers.projectDir, statusOf(servers.status)]).toEqual([undefined, process.cwd(), '']);
    const states = await servers.ready();
    expect(statusOf(states)).toBe('good=connected broken=failed unset=failed too=connected');
    expect(servers.status).toEqual(states);
    expect(servers.server('broken')?.reason).toMatch(/the stall is broken/);
    expect(servers.server('unset')?.reason).toMatch(/RX_MCP_NOT_SET/);
    expect(servers.server('off')).toBeUndefined();
    expect(servers.disabled).toEqual(['off']);
    expect(servers.problems).toMatchObject([{ level: 'error', server: 'unset', variable: 'RX_MCP_NOT_SET' }]);
    const keys = ['good', 'broken', 'unset', 'too'];
    expect([...servers.servers.keys()]).toEqual(keys);
    (servers.servers as Map<string, unknown>).clear();
    expect([...servers.servers.keys()]).toEqual(keys);
  });

  it('tell how all of them are, from the beginning to the end', async () => {
    const servers = opening({ mcpServers: { a: stall('a'), b: stall('b') } });
    const seen = watch(servers.status$);
    await servers.ready();
    await servers.stop();
    expect(seen.completed).toBe(true);
    const told = seen.values.map(statusOf);
    expect(told.slice(0, 3)).toEqual(['', 'a=configured b=configured', 'a=starting b=configured']);
    expect(told.at(-1)).toBe('a=stopped b=stopped');
    expect(told).toContain('a=connected b=connected');
    expect(watch(servers.status$).values.map(statusOf)).toEqual(['a=stopped b=stopped']);
  });

  it('fail one alone whose client cannot be made', async () => {
    const servers = opening(
      { mcpServers: { a: stall('a'), b: stall('b') } },
      { client: (key) => (key === 'a' ? ({ onElicitt: 1 } as object) : {}) },
    );
    expect(statusOf(await servers.ready())).toBe('a=failed b=connected');
    expect(servers.server('a')?.reason).toMatch(/onElicitt/);
  });

  it('are none where the config cannot be read', async () => {
    const servers = opening('/nowhere/at/all/mcp.json');
    expect([...(await servers.ready())]).toEqual([]);
    expect(servers.problems).toMatchObject([{ level: 'error', message: expect.stringMatching(/no such file/) }]);
    expect(await servers.promises.listTools()).toEqual([]);
  });

  it('are none where the config throws when it is looked at', async () => {
    const thrower = {
      get mcpServers(): object {
        throw new Error('not today');
      },
    };
    const servers = opening(thrower);
    expect([...(await servers.ready())]).toEqual([]);
    expect(servers.problems).toEqual([{ level: 'error', path: '', message: 'it cannot be read: not today' }]);
  });
});

describe('the tools of the servers of a config', () => {
  it('are those of all that are connected, and wait for none that hangs', async () => {
    const servers = opening({ mcpServers: { a: stall('a', ['read']), hangs: mute(), broken: broken() } });
    await firstValueFrom(servers.status$.pipe(filter((states) => /a=connected.*broken=failed/.test(statusOf(states)))));
    expect(servers.server('hangs')?.status).toBe('starting');
    const names = ['mcp__a__read', 'mcp__a__open', 'mcp__a__die'];
    expect(namesOf(await servers.promises.listTools())).toEqual(names);
    expect(namesOf(await firstValueFrom(servers.knownTools()))).toEqual(names);
    const declared = await servers.promises.toolsForLlm({ format: 'anthropic' });
    expect(declared.map(({ name }) => name)).toEqual([...names].sort());
  });

  it('are called where they are, and a server that is not connected says why', async () => {
    const servers = opening({
      mcpServers: { a: stall('a', ['read']), b: stall('b', ['read']), broken: broken(), hangs: mute() },
    });
    await firstValueFrom(
      servers.status$.pipe(filter((states) => /a=connected b=connected broken=failed/.test(statusOf(states)))),
    );
    const results = await servers.promises.executeToolCalls([
      call('mcp__b__read'),
      call('mcp__broken__read'),
      call('mcp__a__read'),
      call('mcp__hangs__read'),
      call('read'),
    ]);
    expect(contentsOf(results)).toEqual([
      `b read ${pidOf(servers, 'b')}`,
      AWAY,
      `a read ${pidOf(servers, 'a')}`,
      AWAY,
      expect.stringMatching(/there is no tool "read"/),
    ]);
    expect(results.map(({ is_error: isError }) => isError)).toEqual([false, true, false, true, true]);
    expect(results.map(whyOf)).toEqual([
      undefined,
      expect.stringMatching(/"broken" is not connected, but failed: .*the stall is broken/s),
      undefined,
      expect.stringMatching(/"hangs" is not connected, but starting/),
      undefined,
    ]);
  });

  it('tell of a batch in events, and run strictly in order where nothing may overlap', async () => {
    const servers = opening({ mcpServers: { a: stall('a', ['read']), b: stall('b', ['read']) } });
    await servers.ready();
    const calls = ['mcp__a__read', 'mcp__b__read', 'mcp__a__read'].map((name, index) => call(name, `${index}`));
    const seen = watch(servers.executeToolCalls(calls, { observe: 'events', overlap: 'never' }));
    await seen.end;
    expect(seen.values.map(({ kind, index }) => `${kind} ${index}`)).toEqual([
      ...['started 0', 'result 0', 'started 1', 'result 1', 'started 2', 'result 2'],
    ]);
  });

  it('are told apart where two keys come to the same prefix', async () => {
    const servers = opening({
      mcpServers: { 'my server': stall('one', ['read']), my_server: stall('two', ['write']) },
    });
    await servers.ready();
    expect(servers.problems).toMatchObject([{ level: 'warning', server: 'my_server' }]);
    const names = namesOf(await servers.promises.listTools());
    expect(names).toHaveLength(6);
    expect(names).toEqual(expect.arrayContaining(['mcp__my_server__read', 'mcp__my_server__write']));
    const opens = names.filter((name) => /^mcp__my_server__open_[0-9a-f]{8}$/.test(name));
    expect(opens).toHaveLength(2);
    const results = await servers.promises.executeToolCalls(
      ['mcp__my_server__read', 'mcp__my_server__write', ...opens].map((name) => call(name)),
    );
    expect(contentsOf(results)).toEqual([
      `one read ${pidOf(servers, 'my server')}`,
      `two write ${pidOf(servers, 'my_server')}`,
      'open',
      'open',
    ]);
    expect(servers.server('my server')?.toolPrefix).toBe(servers.server('my_server')?.toolPrefix);
  });

  it('are a live list', async () => {
    const servers = opening({ mcpServers: { a: stall('a'), b: stall('b') } });
    const seen = watch(servers.tools$);
    await firstValueFrom(servers.tools$.pipe(filter((tools) => tools.length === 4)));
    await servers.promises.executeToolCalls([call('mcp__b__open')]);
    await firstValueFrom(servers.tools$.pipe(filter((tools) => namesOf(tools).includes('mcp__b__late'))));
    await servers.stop();
    expect(seen.completed).toBe(true);
    expect(seen.values.at(-1)).toHaveLength(5);
    expect(watch(servers.tools$).completed).toBe(true);
  });

  it('end with the registry that owns them', async () => {
    const servers = opening({ mcpServers: { a: stall('a') } });
    await servers.ready();
    await new Registry().add(servers, { prefix: 'x', owned: true }).close();
    expect(statusOf(servers.status)).toBe('a=stopped');
  });

  it('are found by their own names in a registry', async () => {
    const servers = opening({ mcpServers: { a: stall('a', ['read']), broken: broken() } });
    await servers.ready();
    const registry = new Registry().add(servers, { prefix: 'x' });
    expect(namesOf(await registry.promises.listTools())).toContain('x_mcp__a__read');
    const calls = [call('x_mcp__a__read'), call('x_mcp__broken__read')];
    expect(contentsOf(await registry.promises.executeToolCalls(calls))).toEqual([
      `a read ${pidOf(servers, 'a')}`,
      AWAY,
    ]);
  });

  it('wait for the config to be read, and for nothing more', async () => {
    const servers = opening({ mcpServers: { a: stall('a', ['read']), hangs: mute() } });
    const [tools, live, results] = await Promise.all([
      servers.promises.listTools(),
      firstValueFrom(servers.tools$),
      servers.promises.executeToolCalls([call('mcp__a__read')]),
    ]);
    expect([tools, live]).toEqual([[], []]);
    expect(contentsOf(results)).toEqual([AWAY]);
    expect(results.map(whyOf)).toEqual([expect.stringMatching(/"a" is not connected, but starting/)]);
  });

  it('are not listed with options that cannot be used, nor after the signal is aborted', async () => {
    const servers = opening({ mcpServers: { a: stall('a') } });
    expect(await rejection(servers.promises.listTools({ timeoutMs: -1 }))).toBeInstanceOf(OptionError);
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await rejection(servers.promises.listTools({ signal }))).toBeInstanceOf(CancelledError);
    expect(await rejection(servers.promises.toolsForLlm({ formt: 'openai' } as object))).toBeInstanceOf(OptionError);
  });
});

describe('stopping the servers of a config', () => {
  it('ends all processes, and leaves nothing that can be used', async () => {
    const servers = opening({ mcpServers: { a: stall('a', ['read']), hangs: mute() } });
    await firstValueFrom(servers.status$.pipe(filter((states) => states.get('a')?.status === 'connected')));
    const pids = [pidOf(servers, 'a'), pidOf(servers, 'hangs')];
    expect(servers.stop()).toBe(servers.stop());
    await servers.stop();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(await rejection(servers.promises.listTools())).toBeInstanceOf(TransportClosedError);
    const results = await servers.promises.executeToolCalls([call('mcp__a__read')]);
    expect([contentsOf(results), results.map(whyOf)]).toEqual([[AWAY], ['the servers are stopped']]);
    expect(statusOf(await servers.ready())).toBe('a=stopped hangs=stopped');
    expect(await servers.reload()).toMatchObject({ added: [], removed: [], restarted: [] });
    await servers[Symbol.asyncDispose]();
  });

  it('starts nothing that was about to be read', async () => {
    const servers = new ManagedServers({ mcpServers: { a: stall('a') } });
    const [ready, tools, live] = [servers.ready(), rejection(servers.promises.listTools()), watch(servers.tools$)];
    await servers.stop();
    expect([statusOf(await ready), [...servers.servers]]).toEqual(['', []]);
    expect(await tools).toBeInstanceOf(TransportClosedError);
    expect([live.values, live.completed]).toEqual([[], true]);
  });

  it('may be done by whoever hears of a state', async () => {
    const servers = opening({ mcpServers: { a: stall('a'), b: stall('b') } });
    const ended = new Promise<void>((resolve) => {
      servers.status$.subscribe((states) => {
        if (states.get('a')?.status === 'configured') resolve(servers.stop());
      });
    });
    await ended;
    expect(statusOf(servers.status)).toBe('a=stopped b=stopped');
    expect([...servers.servers.values()].map(({ pid }) => pid)).toEqual([undefined, undefined]);
  });

  it('can be done before the program ends', async () => {
    const servers = opening({ mcpServers: { a: stall('a'), hangs: mute() } });
    await firstValueFrom(servers.status$.pipe(filter((states) => states.get('a')?.status === 'connected')));
    const pids = [pidOf(servers, 'a'), pidOf(servers, 'hangs')];
    const seen = watch(servers.status$);
    servers.killNow();
    await allGone(...pids);
    await seen.end;
    expect(statusOf(servers.status)).toBe('a=stopped hangs=stopped');
  });
});
