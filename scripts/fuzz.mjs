/**
 * `npm run fuzz`: the specs of `spec/fuzz` with many more and longer runs, from a seed that is printed. A seed given as
 * the first argument, or in RX_MCP_FUZZ_SEED, runs the same again; what a failing run prints goes into
 * `spec/support/fuzz/found.ts`.
 */
import { spawnSync } from 'node:child_process';

const seed = process.argv[2] ?? process.env['RX_MCP_FUZZ_SEED'] ?? String(Math.trunc(Math.random() * 0x7fff_ffff));
console.log(`fuzz: seed ${seed}`);
const args = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  'spec/fuzz',
];
const { status } = spawnSync(process.execPath, args, {
  stdio: 'inherit',
  env: { ...process.env, RX_MCP_FUZZ: 'long', RX_MCP_FUZZ_SEED: seed },
});
console.log(`fuzz: seed ${seed} ${status === 0 ? 'found nothing' : 'FAILED'}`);
process.exitCode = status ?? 1;
