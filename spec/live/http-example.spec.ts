// The example of a client over HTTP, run as its readers run it.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly err: string;
}

const run = (): Promise<Ended> =>
  new Promise((resolve) => {
    const args = ['node_modules/tsx/dist/cli.mjs', 'examples/http.ts'];
    const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' };
    const child = execFile(process.execPath, args, { cwd: ROOT, env }, (_error, out, err) => {
      resolve({ code: child.exitCode, lines: out.trimEnd().split('\n'), err });
    });
  });

const visit = (era: string, version: string): readonly string[] => [
  `bakery, ${era} era, ${version}`,
  '  bake: Bakes loaves, and reports on each',
  '  loaf 1 of 3',
  '  loaf 2 of 3',
  '  loaf 3 of 3',
  "  done: { type: 'text', text: '3 loaves' }",
  '  loaf 1 of 1000',
  '  loaf 2 of 1000',
  '  that is enough, and the bakery knows',
];

describe('examples/http.ts', () => {
  it('visits its server once in each era, with progress and a cancellation, and ends by itself', async () => {
    const { code, lines, err } = await run();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(lines).toEqual([...visit('modern', '2026-07-28'), ...visit('legacy', '2025-11-25')]);
  }, 60_000);
});
