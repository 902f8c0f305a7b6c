import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));

// A jest of its own over the fixtures, with the recorder and the reporter as the project has them.
const config = JSON.stringify({
  rootDir: root,
  roots: ['<rootDir>/spec/support/frames/fixtures'],
  testMatch: ['**/*.fixture.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/spec/support/transform.mjs' },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  injectGlobals: false,
  setupFilesAfterEnv: ['<rootDir>/spec/support/frames/recorder.ts'],
  reporters: ['<rootDir>/spec/support/frames/reporter.mjs', 'default'],
});

const jest = (...patterns: readonly string[]): Promise<{ readonly code: number; readonly output: string }> =>
  new Promise((resolve) => {
    const args = [
      '--experimental-vm-modules',
      `${root}node_modules/jest/bin/jest.js`,
      '--runInBand',
      '--config',
      config,
      ...patterns,
    ];
    const child = execFile(process.execPath, args, { cwd: root }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr });
    });
    child.stdin?.end();
  });

describe('the reporter of frames', () => {
  it('prints the table, and leaves a run of some specs alone when what they wrote is valid', async () => {
    const { code, output } = await jest('good.fixture');
    expect(output).toMatch(/tools\/list +modern\/2026-07-28 +1\n/);
    expect(output).not.toContain('never written');
    expect(code).toBe(0);
  }, 60_000);

  it('makes a run fail, whose tests all pass, for an invalid frame', async () => {
    const { code, output } = await jest('bad.fixture');
    expect(output).toMatch(/Tests: +1 passed, 1 total/);
    expect(output).toContain('invalid frame: tools/list (modern/2026-07-28, ScriptedTransport,');
    expect(output).toContain('params._meta.io.modelcontextprotocol/clientCapabilities');
    expect(code).toBe(1);
  }, 60_000);

  it('makes a run of everything fail for what was never written', async () => {
    const { code, output } = await jest();
    expect(output).toContain('never written: initialize in the legacy era');
    expect(output).toContain('never written: any frame through StdioTransport');
    expect(code).toBe(1);
  }, 60_000);
});
