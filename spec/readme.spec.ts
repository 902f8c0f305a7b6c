import { existsSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { clientCredentials, enterpriseManaged, oauth, workloadIdentity } from '../src/auth/index.js';
import { fileTokenStore, loopbackRedirect } from '../src/auth/node/index.js';
import { connectStdio } from '../src/bridge/stdio.js';
import * as root from '../src/index.js';
import { thrownBy } from './support/client/watch.js';
import { anchorsIn, DOCUMENTS, examplesIn, linksIn, textOf } from './support/documents.js';
import { fileIn, programOf } from './support/architecture/program.js';
import { PACKAGE_ROOT } from './support/architecture/source-files.js';

const snippets = DOCUMENTS.flatMap((document) =>
  examplesIn(document).map((text, index) => ({
    document,
    path: `documents/${document}/example-${index + 1}.ts`,
    text,
  })),
);

const entry = (path: string): string[] => [resolve(PACKAGE_ROOT, 'src', path)];

describe('an example of the README or a guide', () => {
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
        'rx-mcp/testing/node': entry('testing/node/index.ts'),
      },
    });
  }, 60_000);

  it.each(snippets)('is one that the compiler takes: $path', ({ path }) => {
    const messages = ts
      .getPreEmitDiagnostics(program, fileIn(program, path))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(messages).toEqual([]);
  });
});

describe('an example that is printed', () => {
  it.each(snippets)('says all that it needs: $path', ({ text }) => {
    expect(text).toMatch(/^(import|export) /m);
    expect(text).not.toContain('my-server');
  });

  /** Examples that are one piece of a program: nobody connects in them, or it is the options that are shown. */
  const pieces = snippets.filter(({ text }) => !/\b(connect(Stdio|Http|InMemory)?|openConfig)\(/.test(text));

  it.each(snippets.filter((snippet) => !pieces.includes(snippet)))(
    'comes to its end, or says that it does not: $path',
    ({ text }) => {
      const ends = /\.(close|stop)\(\)|^\s*await using /m.test(text);
      const shown = /^const authProvider = /m.test(text) && !/promises|subscribe\(\{/.test(text);
      expect(ends || shown || text.includes('until Ctrl-C') || text.includes('marbles(')).toBe(true);
    },
  );
});

describe('the README', () => {
  const { files } = JSON.parse(textOf('package.json')) as { files: string[] };
  const isPacked = (target: string): boolean =>
    files.some((file) => file === target || file === target.replace(/[^/]*(\.\w+)$/, '*$1'));

  it('can be read in ten minutes', () => {
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThan(400);
  });

  it('has an example for each thing it teaches', () => {
    expect(examplesIn('README.md').length).toBeGreaterThanOrEqual(10);
  });

  it('names every option there is, there or in a guide', () => {
    const known = [root.connectHttp, connectStdio].flatMap((connectTo) => {
      const error = thrownBy(() => connectTo({ url: 'https://mcp.example', command: 'x', nope: 1 } as never));
      return (error as Error).message.split('known are ')[1]?.split(', ') ?? [];
    });
    expect(known.length).toBeGreaterThan(30);
    const guides = DOCUMENTS.map(textOf).join('\n');
    expect(known.filter((name) => !new RegExp(`\`${name}[\`:]`).test(guides))).toEqual([]);
  });

  it('names every error there is, there or in a guide', () => {
    const raised = Object.keys(root).filter((name) => name !== 'McpError' && name.endsWith('Error'));
    expect(raised.length).toBeGreaterThan(15);
    const guide = textOf('docs/calling.md');
    expect([...raised, 'AuthorizationError'].filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });

  it('links to nothing that is not in the package', () => {
    const own = linksIn('README.md').filter((target) => !/^(https:|#)/.test(target));
    expect(own.filter((target) => !isPacked(target.replace(/#.*$/, '')))).toEqual([]);
  });

  it('leads to every guide there is', () => {
    const targets = linksIn('README.md').map((target) => target.replace(/#.*$/, ''));
    expect(DOCUMENTS.slice(1).filter((guide) => !targets.includes(guide))).toEqual([]);
  });

  it.each(DOCUMENTS)('and the guides link to headings that are there: %s', (document) => {
    const lost = linksIn(document).filter((target) => {
      if (/^https?:/.test(target)) return false;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? document : posix.join(posix.dirname(document), path);
      if (!existsSync(resolve(PACKAGE_ROOT, file))) return true;
      return anchor !== undefined && !anchorsIn(file).includes(anchor);
    });
    expect(lost).toEqual([]);
  });

  it('shows the transport of one’s own that the contract suite runs', () => {
    const body = (text: string): string => text.slice(text.indexOf('export const portTransport'));
    expect(examplesIn('docs/connecting.md').map(body)).toContain(body(textOf('examples/own-transport.ts')));
  });
});

describe('the guide to OAuth', () => {
  const text = textOf('docs/oauth.md');
  const missing = (names: readonly string[]) => names.filter((name) => !text.includes(`\`${name}`));
  const knownBy = (make: () => unknown): readonly string[] =>
    (thrownBy(make) as Error).message.split('known are ')[1]?.split(', ') ?? [];
  /** The texts that a member of a type of ours may have. */
  const textsOf = (path: string, pattern: RegExp): readonly string[] =>
    [...textOf(path).matchAll(pattern)].map(([, word = '']) => word);

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
