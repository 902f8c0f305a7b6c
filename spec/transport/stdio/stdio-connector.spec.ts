import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, map } from 'rxjs';
import { OptionError } from '../../../src/errors/index.js';
import { isAnswer } from '../../../src/jsonrpc/index.js';
import type { JsonRpcResult } from '../../../src/jsonrpc/index.js';
import { StdioTransport, stdioConnector } from '../../../src/transport/stdio/index.js';
import type { StdioParameters } from '../../../src/transport/stdio/index.js';
import { allGone, appears, isRunning, open, peer, request } from '../../support/child-processes.js';

interface Facts {
  cwd: string;
  env: Record<string, string>;
  argv: string[];
  pid: number;
}

/** What a child that was started with these parameters knows of itself. */
const factsOf = async (parameters: StdioParameters): Promise<Facts> => {
  const { transport, messages$ } = await open(parameters);
  transport.send(request(1)).subscribe({ error: () => undefined });
  const answer = messages$.pipe(
    filter(isAnswer),
    map((message) => (message as JsonRpcResult).result as Facts),
  );
  const facts = await firstValueFrom(answer);
  await transport.close();
  return facts;
};

describe('stdioConnector', () => {
  it('refuses parameters that cannot be used at once, before it is subscribed', () => {
    expect(() => stdioConnector({ command: '' })).toThrow(OptionError);
  });

  it('starts nothing before it is subscribed, and ignores the wire form', () => {
    const connector = stdioConnector({ command: 'no-such-program-anywhere' });
    expect(() => connector('sse')).not.toThrow();
  });

  it('may be shared by whoever has the same identity and the same environment', () => {
    const { identity, partition } = stdioConnector({ command: 'a', inheritEnv: false });
    expect([typeof identity, partition]).toEqual(['string', identity]);
    expect(stdioConnector({ command: 'a' }).partition).toBe(stdioConnector({ command: 'a' }).partition);
  });

  it('says whether a life may follow another', () => {
    expect(stdioConnector({ command: 'a' }).reopens).toBe(true);
    expect(stdioConnector({ command: 'a', restart: false }).reopens).toBe(false);
  });

  it('emits one transport as soon as the process runs and does not complete; unsubscribing ends the process', async () => {
    const seen: unknown[] = [];
    const life = stdioConnector(peer('echo'))().subscribe({
      next: (transport) => seen.push(transport),
      complete: () => seen.push('complete'),
    });
    expect(seen).toEqual([]);
    await new Promise((resolve) => process.nextTick(resolve));
    expect(seen).toEqual([expect.any(StdioTransport)]);
    const transport = seen[0] as StdioTransport;
    expect(transport.alive).toBe(true);
    expect(isRunning(transport.pid)).toBe(true);
    life.unsubscribe();
    expect(transport.alive).toBe(false);
    await transport.close();
    expect(isRunning(transport.pid)).toBe(false);
    expect(seen).toHaveLength(1);
  });

  it('ends the process when it is unsubscribed before the transport was emitted', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'rx-mcp-early-'));
    try {
      const pidFile = join(directory, 'pid');
      const seen: unknown[] = [];
      const life = stdioConnector(peer('pid-file', pidFile))().subscribe((transport) => seen.push(transport));
      life.unsubscribe();
      // Its stdin has ended by then, and it tells so as its last act.
      await appears(pidFile);
      await allGone(Number(readFileSync(pidFile, 'utf8')));
      expect(seen).toEqual([]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('starts another process for another subscription', async () => {
    const connector = stdioConnector(peer('echo'));
    const transports: StdioTransport[] = [];
    const lives = [0, 1].map(() => connector().subscribe((transport) => transports.push(transport as StdioTransport)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(new Set(transports.map(({ pid }) => pid)).size).toBe(2);
    lives[0]?.unsubscribe();
    expect(transports.map(({ alive }) => alive)).toEqual([false, true]);
    lives[1]?.unsubscribe();
    await Promise.all(transports.map((transport) => transport.close()));
  });

  it('hands arguments over as they are, through no shell', async () => {
    const args = ['$HOME', '`id`', '"a b"', "it's", '*', '; exit 1', '', 'é\n', '--', '-n'];
    const { argv } = await factsOf(peer('facts', ...args));
    expect(argv).toEqual(args);
  });

  it('starts the process in the working directory it was given', async () => {
    const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'rx-mcp-cwd-')));
    try {
      expect((await factsOf({ ...peer('facts'), cwd })).cwd).toBe(cwd);
      expect((await factsOf(peer('facts'))).cwd).toBe(process.cwd());
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });

  it('lays variables over the inherited environment, and removes what is undefined', async () => {
    process.env['RX_MCP_SPEC_KEPT'] = 'kept';
    process.env['RX_MCP_SPEC_REMOVED'] = 'removed';
    try {
      const { env } = await factsOf({
        ...peer('facts'),
        env: { RX_MCP_SPEC_NEW: 'new', RX_MCP_SPEC_REMOVED: undefined },
      });
      expect(env).toMatchObject({
        RX_MCP_SPEC_KEPT: 'kept',
        RX_MCP_SPEC_NEW: 'new',
        PATH: process.env['PATH'],
      });
      expect(env).not.toHaveProperty('RX_MCP_SPEC_REMOVED');
    } finally {
      delete process.env['RX_MCP_SPEC_KEPT'];
      delete process.env['RX_MCP_SPEC_REMOVED'];
    }
  });

  it('gives the variables of env and no others where nothing is to be inherited', async () => {
    const { env } = await factsOf({ ...peer('facts'), env: { ONLY: 'this' }, inheritEnv: false });
    expect(env).toEqual({ ONLY: 'this' });
  });

  it('finds a command by the PATH it gives to the child', async () => {
    const [, ...args] = [process.execPath, ...(peer('facts').args ?? [])];
    const PATH = join(process.execPath, '..');
    const { env } = await factsOf({ command: 'node', args, env: { PATH }, inheritEnv: false });
    expect(env).toEqual({ PATH });
  });

  it('makes the process the leader of a group of its own', async () => {
    const { transport } = await open(peer('echo'));
    expect(process.kill(-transport.pid, 0)).toBe(true);
    await transport.close();
  });
});
