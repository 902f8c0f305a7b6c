import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type Loopback, serve } from '../support/http/loopback.js';
import { peer } from '../support/http/peer.js';

jest.setTimeout(60_000);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const raw = { command: process.execPath, args: [`${ROOT}/scripts/support/raw-server.mjs`, 'modern'] };

let server: Loopback | undefined;
afterEach(() => server?.close());

/** Runs the parent with so many descriptors and no more. */
const withDescriptors = async (limit: number, url: string): Promise<unknown> => {
  const script = ['--import', 'tsx', 'spec/support/parents/crowded.ts', url, JSON.stringify(raw)];
  const child = spawn('sh', ['-c', `ulimit -n ${limit} && exec "$0" "$@"`, process.execPath, ...script], {
    cwd: ROOT,
    // Jest's own option would be inherited, and loads a module that is still experimental.
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [out] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return JSON.parse(out);
};

(process.platform === 'win32' ? describe.skip : describe)('a process without a descriptor left', () => {
  it('is told so, of calls that did nothing, and goes on when there are some again', async () => {
    const ran: string[] = [];
    server = await serve(peer({ era: 'modern', ran }));
    const { crowded, spawned, afterwards } = (await withDescriptors(120, server.url)) as Record<string, object[]>;
    const answered = crowded?.filter((end) => !('name' in end)) ?? [];
    const failed = crowded?.filter((end) => 'name' in end) ?? [];
    expect([answered.length > 0, failed.length > 0]).toEqual([true, true]);
    for (const end of failed) {
      const message = expect.stringMatching(/could not be reached: connect EMFILE/);
      expect(end).toEqual({ name: 'NetworkError', left: false, message });
    }
    expect(spawned).toEqual({
      name: 'SpawnFailedError',
      message: expect.stringContaining('too many files are open (EMFILE); close connections, or raise the limit'),
    });
    expect(afterwards).toEqual([{}, {}, {}]);
    // What was said to have done nothing has done nothing: one ran before, and two afterwards.
    expect(ran).toHaveLength(answered.length + 3);
  });
});
