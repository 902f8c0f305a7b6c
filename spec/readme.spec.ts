import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { fileIn, programOf } from './support/architecture/program.js';
import { PACKAGE_ROOT } from './support/architecture/source-files.js';

const read = (path: string): string => readFileSync(resolve(PACKAGE_ROOT, path), 'utf8');

const snippets = [...read('README.md').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = ''], index) => ({
  path: `readme/snippet-${index + 1}.ts`,
  text,
}));

const entry = (path: string): string[] => [resolve(PACKAGE_ROOT, 'src', path)];

describe('the README', () => {
  let program: ts.Program;
  beforeAll(() => {
    program = programOf(snippets, {
      noUnusedLocals: false,
      paths: {
        'rx-mcp': entry('index.ts'),
        'rx-mcp/stdio': entry('bridge/stdio.ts'),
        'rx-mcp/testing': entry('testing/index.ts'),
      },
    });
  }, 60_000);

  it('has an example for each thing it teaches', () => {
    expect(snippets.length).toBeGreaterThanOrEqual(7);
  });

  it.each(snippets)('has an example that the compiler takes: $path', ({ path }) => {
    const messages = ts
      .getPreEmitDiagnostics(program, fileIn(program, path))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(messages).toEqual([]);
  });

  it('shows the transport of one’s own that the contract suite runs', () => {
    const body = (text: string): string => text.slice(text.indexOf('export const portTransport'));
    expect(snippets.map(({ text }) => body(text))).toContain(body(read('examples/own-transport.ts')));
  });
});
