// The example of a live list, run as its users run it, in both eras.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PATIENCE_MS = 60_000;

const running = new Set<ReturnType<typeof spawn>>();

const run = async (...args: readonly string[]): Promise<{ out: string[]; err: string; code: unknown }> => {
  // Jest's own option would be inherited, and loads a module that is still experimental.
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, ['--import', 'tsx', 'examples/live-list.ts', ...args], { cwd: ROOT, env });
  running.add(child);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (err += String(chunk)));
  const [code] = (await once(child, 'close')) as [unknown];
  running.delete(child);
  return { out: out.split('\n'), err, code };
};

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

describe('the example of a live list', () => {
  it.each([
    ['modern', ['--modern']],
    ['legacy', ['--legacy']],
    ['legacy', ['--', '--legacy']],
    ['modern', []],
  ])(
    'shows the tools as they come and go, and ends with the show, in the %s era: %j',
    async (era, args) => {
      expect(await run(...args)).toEqual({
        out: [
          `era: ${era}`,
          'next_scene  (+next_scene)',
          'next_scene, juggle  (+juggle)',
          'next_scene, juggle, sing  (+sing)',
          'next_scene, sing  (-juggle)',
          'sing  (-next_scene)',
          '',
        ],
        err: '',
        code: 0,
      });
    },
    PATIENCE_MS,
  );
});
