import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { program } from '../support/programs/program.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs Node with modules loaded before it. */
const run = async (imports: readonly string[], script: string, args: readonly string[]) => {
  const node = ['--expose-gc', ...imports.flatMap((module) => ['--import', module])];
  const child = spawn(process.execPath, [...node, script, ...args], {
    cwd: ROOT,
    // Jest's own option would be inherited, and loads a module that is still experimental.
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
};

/** Runs `npm run soak` in its short form over what was built for this run, with modules loaded before it. */
const soak = (args: readonly string[], ...imports: readonly string[]) => run(imports, program('soak', 'main'), args);

/** The same over the source. */
const soakSource = (args: readonly string[], ...imports: readonly string[]) =>
  run(['tsx', ...imports], 'scripts/soak/main.mjs', ['--source', ...args]);

const NONE = ['--calls', '0', '--servers', '0', '--kills', '0', '--hours', '0'];

describe('a short soak', () => {
  it('leaves heap, handles, descriptors, processes and listeners flat in each part, which a table shows', async () => {
    const { code, stdout, stderr } = await soak(['--calls', '2000', '--servers', '4', '--kills', '3', '--hours', '3']);
    expect({ code, stderr, faults: stdout.match(/^.*FAIL.*$/gm) }).toEqual({ code: 0, stderr: '', faults: null });
    const parts = ['2000 calls, modern', '2000 calls, legacy', '4 servers started and stopped', '3 kill -9'];
    for (const part of [...parts, '3 hours of subscriptions, modern', '3 hours of subscriptions, legacy']) {
      const rows = stdout.split('\n').filter((line) => line.startsWith(`${part}  `));
      expect(rows.map((row) => row.slice(part.length).trim().split(/ {2,}/)[0])).toEqual([
        'heap',
        'active resources',
        'listeners on process',
        'listeners on open handles',
        'listeners on stdout and stderr',
        'listeners on the shared signal',
        'child processes',
        'open descriptors',
      ]);
    }
    expect(stdout.trimEnd().endsWith('all flat')).toBe(true);
    // Each part is told when it is done, not all of them at the end.
    const told = stdout.match(/^(?:what|calls:|servers:|kills:|hours:)/gm);
    expect(told?.join(' ')).toBe('what what calls: what servers: what what kills: what what hours:');
  }, 120_000);

  it.each([
    [
      'listeners',
      'setInterval(() => process.on("exit", () => {}).setMaxListeners(0), 5).unref()',
      'listeners on process',
    ],
    ['heap', 'const kept = []; setInterval(() => kept.push(new Array(1e5).fill(kept.length)), 5).unref()', 'heap'],
  ])(
    'exits 1 and names what grows: %s',
    async (_what, leak, measure) => {
      const args = [...NONE.slice(0, 2), '--servers', '3', ...NONE.slice(4)];
      const { code, stdout } = await soak(args, `data:text/javascript,${encodeURIComponent(leak)}`);
      expect(code).toBe(1);
      expect(stdout).toMatch(new RegExp(`^FAIL 3 servers started and stopped: ${measure} went from .* to .*$`, 'm'));
    },
    60_000,
  );

  it('exits 1 where a part breaks, over the source', async () => {
    const breaks = 'process.kill = () => { throw new Error("not allowed"); }';
    const args = [...NONE.slice(0, 4), '--kills', '1', '--hours', '0'];
    const { code, stdout } = await soakSource(args, `data:text/javascript,${encodeURIComponent(breaks)}`);
    expect(code).toBe(1);
    expect(stdout).toContain('FAIL kills: Error: not allowed');
  }, 60_000);

  it('refuses what is no number', async () => {
    const { code, stderr } = await soak(['--calls', 'many']);
    expect([code, stderr]).toEqual([2, '--calls must be a whole number\n']);
  });
});
