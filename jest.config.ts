/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

const config: Config = {
  // Node's, and a file fails that leaves a child, a handle, or what nobody caught behind.
  testEnvironment: '<rootDir>/spec/support/clean/environment.mjs',
  // What specs run as processes of their own.
  globalSetup: '<rootDir>/spec/support/programs/build.mjs',
  globalTeardown: '<rootDir>/spec/support/programs/remove.mjs',
  roots: ['<rootDir>/spec'],
  testMatch: ['**/*.spec.ts'],
  // They need a browser: `npm run test:browser`.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/spec/browser/'],
  extensionsToTreatAsEsm: ['.ts'],
  // `npm run typecheck` looks at the types of the specs; here each file is only translated.
  transform: { '^.+\\.ts$': '<rootDir>/spec/support/transform.mjs' },
  moduleNameMapper: {
    // One file in place of two hundred, which each file of specs would load anew.
    '^rxjs$': '<rootDir>/node_modules/rxjs/dist/bundles/rxjs.umd.js',
    '^rxjs/testing$': '<rootDir>/spec/support/rxjs-testing.mjs',
    // The benchmarks take the package as it is built; here what it is built from.
    '^\\.\\./\\.\\./dist/index\\.js$': '<rootDir>/src/index.ts',
    '^\\.\\./\\.\\./dist/stdio\\.js$': '<rootDir>/src/bridge/stdio.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^#http-engine$': '<rootDir>/src/transport/http/undici-engine.ts',
  },
  injectGlobals: false,
  // Every frame the specs write is recorded, and at the end of the run validated against its revision's schema.
  setupFilesAfterEnv: ['<rootDir>/spec/support/frames/recorder.ts', '<rootDir>/spec/support/parts.ts'],
  reporters: ['<rootDir>/spec/support/frames/reporter.mjs', 'default'],
  // Many specs wait for processes of their own: two for each of two cores.
  maxWorkers: 4,
  // No spec waits for time to pass; on a busy machine real processes may take theirs.
  testTimeout: 30_000,
};

export default config;
