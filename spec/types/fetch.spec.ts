import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const checks = `${root}spec/types/fetch.ts`;

const complaints = (settings: Readonly<Record<string, unknown>>): readonly string[] => {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile) as {
    config: { compilerOptions: object };
  };
  const compilerOptions = { ...config.compilerOptions, ...settings };
  const { options } = ts.parseJsonConfigFileContent({ compilerOptions, files: [checks] }, ts.sys, root);
  const program = ts.createProgram([checks], options);
  return program
    .getSemanticDiagnostics(program.getSourceFile(checks))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
};

describe('what sends requests', () => {
  it.each([
    ['this project', {}],
    ['most users', { exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: false }],
    ['programs for Node alone', { lib: ['ES2023', 'ESNext.Disposable'] }],
  ])(
    'fits the types of the option under the settings of %s',
    (_whose, settings) => {
      expect(complaints(settings)).toEqual([]);
    },
    60_000,
  );
});
