import { describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, map, toArray } from 'rxjs';
import { type McpClient, TimeoutError } from '../../src/index.js';
import { isRunning } from '../support/child-processes.js';
import { rejection, watch } from '../support/client/watch.js';
import { field } from '../support/servers/field.js';

const pids = (client: McpClient) =>
  client.stderr$.pipe(
    filter((line) => line.startsWith('pid ')),
    map((line) => Number(line.slice(4))),
  );

const timesOut = async (client: McpClient): Promise<void> => {
  expect(await rejection(client.promises.listTools({ timeoutMs: 5 }))).toBeInstanceOf(TimeoutError);
};

describe('case 2: a connect that times out again and again', () => {
  it.each(['legacy', 'auto'] as const)('leaves one child, which the next try goes on with (era %s)', async (era) => {
    const client = field('silent', '', { era });
    const started = firstValueFrom(pids(client));
    const all = firstValueFrom(pids(client).pipe(toArray()));
    const states = watch(client.state$).values;
    await timesOut(client);
    const pid = await started;
    for (let attempt = 0; attempt < 20; attempt += 1) await timesOut(client);
    expect(states.map(({ status }) => status)).toEqual(['idle', 'connecting']);
    expect(isRunning(pid)).toBe(true);
    await client.close();
    expect(await all).toEqual([pid]);
    expect(isRunning(pid)).toBe(false);
  });

  it('leaves none where each try is a client of its own that is closed', async () => {
    const left: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const client = field('silent', '', { era: 'legacy' });
      const started = firstValueFrom(pids(client));
      await timesOut(client);
      left.push(await started);
      await client.close();
    }
    expect(left.map(isRunning)).toEqual([false, false, false]);
  });
});
