import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { connectStdio } from '../src/bridge/stdio.js';
import { connectHttp } from '../src/index.js';
import { thrownBy } from './support/client/watch.js';
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
        'rx-mcp/auth': entry('auth/index.ts'),
        'rx-mcp/auth/node': entry('auth/node/index.ts'),
        'rx-mcp/config': entry('config/index.ts'),
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

  it('names every option there is', () => {
    const known = [connectHttp, connectStdio].flatMap((connectTo) => {
      const error = thrownBy(() => connectTo({ url: 'https://mcp.example', command: 'x', nope: 1 } as never));
      return (error as Error).message.split('known are ')[1]?.split(', ') ?? [];
    });
    expect(known.length).toBeGreaterThan(30);
    const readme = read('README.md');
    expect(known.filter((name) => !new RegExp(`\`${name}[\`:]`).test(readme))).toEqual([]);
  });

  it('links to nothing that is not in the package', () => {
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    const targets = [...read('README.md').matchAll(/\]\(([^)]*)\)/g)].map(([, target = '']) => target);
    expect(targets.filter((target) => !/^(https:|#)/.test(target) && !files.includes(target))).toEqual([]);
  });

  it('shows the transport of one’s own that the contract suite runs', () => {
    const body = (text: string): string => text.slice(text.indexOf('export const portTransport'));
    expect(snippets.map(({ text }) => body(text))).toContain(body(read('examples/own-transport.ts')));
  });
});
