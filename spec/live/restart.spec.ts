import { describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, map, take, toArray } from 'rxjs';
import { type McpClient, OutcomeUnknownError, ServerGoneError } from '../../src/index.js';
import { rejection, watch } from '../support/client/watch.js';
import { field } from '../support/servers/field.js';

/** The ids of the processes, as each of them says who it is. */
const pids = (client: McpClient) =>
  client.stderr$.pipe(
    filter((line) => line.startsWith('pid ')),
    map((line) => Number(line.slice(4))),
  );

/** Kills the server once the call in flight has left, and resolves with what became of the call. */
const killedUnder = async (client: McpClient): Promise<unknown> => {
  const pid = firstValueFrom(pids(client));
  const call = rejection(client.promises.callTool('echo', { text: 'x' }));
  await client.promises.server();
  process.kill(await pid, 'SIGKILL');
  return call;
};

describe('a server process that is killed under a call', () => {
  it('ends the call at once, with how it ended; the next use starts another', async () => {
    const client = field('mute');
    const both = firstValueFrom(pids(client).pipe(take(2), toArray()));
    const states = watch(client.state$).values;
    const error = await killedUnder(client);
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    const cause = (error as OutcomeUnknownError).cause as ServerGoneError;
    expect(cause).toBeInstanceOf(ServerGoneError);
    expect(cause).toMatchObject({ exitCode: null, signal: 'SIGKILL', command: process.execPath });
    expect(cause.stderrTail).toMatch(/^pid \d+$/);
    expect(client.alive).toBe(true);
    expect(await client.promises.listTools()).toHaveLength(1);
    expect(new Set(await both).size).toBe(2);
    expect(states.map(({ status }) => status)).toEqual([
      'idle',
      'connecting',
      'connected',
      'failed',
      'reconnecting',
      'connected',
    ]);
  });

  it('is not started again where that is forbidden: every later use says why', async () => {
    const client = field('mute', '', { restart: false });
    expect(await killedUnder(client)).toBeInstanceOf(OutcomeUnknownError);
    expect(client.alive).toBe(false);
    for (const later of [client.promises.listTools(), client.promises.callTool('echo'), client.promises.server()]) {
      expect(await rejection(later)).toMatchObject({ name: 'ServerGoneError', signal: 'SIGKILL' });
    }
  });

  it('is started again for a call that was made while its last output was being read', async () => {
    const client = field('mute');
    const pid = firstValueFrom(pids(client));
    await client.promises.server();
    const inFlight = rejection(client.promises.callTool('echo'));
    const failed = firstValueFrom(client.state$.pipe(filter(({ status }) => status === 'failed')));
    process.kill(await pid, 'SIGKILL');
    // Asked again and again, so that some of these fall between the exit and what is told of it.
    let isOver = false;
    void failed.then(() => (isOver = true));
    while (!isOver) await client.promises.ping({ timeoutMs: 0 });
    expect(((await inFlight) as OutcomeUnknownError).cause).toBeInstanceOf(ServerGoneError);
    expect(await client.promises.listTools()).toHaveLength(1);
  });
});
