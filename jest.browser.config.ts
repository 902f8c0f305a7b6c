/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

/** The specs that need a browser, and the built package: `npm run test:browser`. */
const config: Config = {
  testEnvironment: 'node',
  roots: ['<rootDir>/spec/browser'],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/spec/support/transform.mjs' },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  injectGlobals: false,
  maxWorkers: 1,
  globalSetup: '<rootDir>/spec/support/browser/build-page.mjs',
  // A browser starts slowly on a busy machine; nothing is waited for but what is expected.
  testTimeout: 120_000,
};

export default config;
