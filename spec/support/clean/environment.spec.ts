import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));

// A jest of its own over the fixtures, in the environment that the project's specs have.
const config = JSON.stringify({
  rootDir: root,
  roots: ['<rootDir>/spec/support/clean/fixtures'],
  testMatch: ['**/*.fixture.ts'],
  testEnvironment: '<rootDir>/spec/support/clean/environment.mjs',
  testEnvironmentOptions: { patienceMs: 100 },
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/spec/support/transform.mjs' },
  injectGlobals: false,
});

interface Report {
  readonly testResults: readonly { readonly name: string; readonly status: string; readonly message: string }[];
}

const jest = (): Promise<Report> =>
  new Promise((resolve, reject) => {
    const args = ['--experimental-vm-modules', `${root}node_modules/jest/bin/jest.js`, '--runInBand', '--forceExit'];
    const child = execFile(
      process.execPath,
      [...args, '--json', '--config', config],
      { cwd: root },
      (_error, stdout, stderr) => {
        try {
          resolve(JSON.parse(stdout) as Report);
        } catch {
          reject(new Error(stdout + stderr));
        }
      },
    );
    child.stdin?.end();
  });

describe('a spec file whose every test passes', () => {
  let report: Report;
  const resultOf = (fixture: string) => {
    const result = report.testResults.find(({ name }) => name.endsWith(`/${fixture}.fixture.ts`));
    return { status: result?.status, message: result?.message };
  };

  beforeAll(async () => {
    report = await jest();
  }, 120_000);

  it('passes if it leaves nothing behind', () => {
    expect(resultOf('good')).toEqual({ status: 'passed', message: '' });
  });

  it.each(['promise-one', 'promise-other'])('finds nothing of the files before it at its Promises: %s', (fixture) => {
    expect(resultOf(fixture)).toEqual({ status: 'passed', message: '' });
  });

  it.each([
    ['child', 'the child process'],
    ['handle', '1 TCPServerWrap'],
    ['timer', '1 timers'],
    ['rejection', 'nobody listens'],
    ['late-rejection', 'nobody listens any longer'],
    ['exception', 'nobody catches'],
  ])('fails for a fixture that leaves something behind, and says what: %s', (fixture, text) => {
    expect(resultOf(fixture)).toEqual({ status: 'failed', message: expect.stringContaining(text) });
  });
});
