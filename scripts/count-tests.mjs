/**
 * Reads what `jest --json --outputFile=<file>` wrote and prints one line, `N passed, N failed`. A spec file
 * that could not be run counts as one failure. Exits non-zero when something failed or nothing ran.
 */
import { readFileSync } from 'node:fs';

const results = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const passed = results.numPassedTests;
const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
