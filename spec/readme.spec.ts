import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { clientCredentials, enterpriseManaged, oauth, workloadIdentity } from '../src/auth/index.js';
import { fileTokenStore, loopbackRedirect } from '../src/auth/node/index.js';
import { connectStdio } from '../src/bridge/stdio.js';
import { connectHttp } from '../src/index.js';
import { thrownBy } from './support/client/watch.js';
import { fileIn, programOf } from './support/architecture/program.js';
import { PACKAGE_ROOT } from './support/architecture/source-files.js';

const read = (path: string): string => readFileSync(resolve(PACKAGE_ROOT, path), 'utf8');

const snippetsIn = (document: string, folder: string) =>
  [...read(document).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = ''], index) => ({
    path: `${folder}/snippet-${index + 1}.ts`,
    text,
  }));

const snippets = snippetsIn('README.md', 'readme');
const guide = snippetsIn('docs/oauth.md', 'oauth');

/** The application that the example of a test is about. */
const forecast = {
  path: 'readme/forecast.ts',
  text: "import type { McpClient } from 'rx-mcp';\nexport declare const forecast: (mcp: McpClient, city: string) => Promise<unknown>;\n",
};

const entry = (path: string): string[] => [resolve(PACKAGE_ROOT, 'src', path)];

describe('the README', () => {
  let program: ts.Program;
  beforeAll(() => {
    program = programOf([...snippets, ...guide, forecast], {
      noUnusedLocals: false,
      paths: {
        'rx-mcp': entry('index.ts'),
        'rx-mcp/stdio': entry('bridge/stdio.ts'),
        'rx-mcp/auth': entry('auth/index.ts'),
        'rx-mcp/auth/node': entry('auth/node/index.ts'),
        'rx-mcp/config': entry('config/index.ts'),
        'rx-mcp/testing': entry('testing/index.ts'),
        'rx-mcp/testing/node': entry('testing/node/index.ts'),
      },
    });
  }, 60_000);

  it('has an example for each thing it teaches', () => {
    expect(snippets.length).toBeGreaterThanOrEqual(7);
  });

  it.each([...snippets, ...guide])('has an example that the compiler takes, as has the guide: $path', ({ path }) => {
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
    const isPacked = (target: string): boolean =>
      files.some((file) => file === target || file === target.replace(/[^/]*(\.\w+)$/, '*$1'));
    expect(targets.filter((target) => !/^(https:|#)/.test(target) && !isPacked(target))).toEqual([]);
  });

  it('shows the transport of one’s own that the contract suite runs', () => {
    const body = (text: string): string => text.slice(text.indexOf('export const portTransport'));
    expect(snippets.map(({ text }) => body(text))).toContain(body(read('examples/own-transport.ts')));
  });
});

describe('the guide to OAuth', () => {
  const text = read('docs/oauth.md');
  const missing = (names: readonly string[]) => names.filter((name) => !text.includes(`\`${name}`));
  const knownBy = (make: () => unknown): readonly string[] =>
    (thrownBy(make) as Error).message.split('known are ')[1]?.split(', ') ?? [];
  /** The texts that a member of a type of ours may have. */
  const textsOf = (path: string, pattern: RegExp): readonly string[] =>
    [...read(path).matchAll(pattern)].map(([, word = '']) => word);

  it('names every option there is', () => {
    const redirectUri = 'http://127.0.0.1:1/';
    const nope = { nope: 1 };
    const known = [
      () => oauth({ redirectUri, ...nope }),
      () => loopbackRedirect(nope as never),
      () => fileTokenStore({ directory: 'x', ...nope }),
      () => clientCredentials({ client: { clientId: 'x', ...nope } }),
      () => workloadIdentity({ assertion: () => '', ...nope }),
      () => enterpriseManaged({ ...nope } as never),
    ].flatMap(knownBy);
    expect(known.length).toBeGreaterThan(30);
    expect(missing(known)).toEqual([]);
  });

  it('names every problem and every state there is', () => {
    const problems = textsOf('src/auth/authorization-error.ts', /^ {2}\| '([a-z-]+)'/gm);
    const states = textsOf('src/auth/states.ts', /status: '([a-z]+)'/g);
    expect([problems.length, states.length]).toEqual([15, 7]);
    expect(missing([...problems, ...states])).toEqual([]);
  });
});
