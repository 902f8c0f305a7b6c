import { beforeAll, describe, expect, it } from '@jest/globals';
import type ts from 'typescript';
import {
  mixedTransports,
  nodeInBrowserSafe,
  strayPackages,
  wrongDirections,
} from './support/architecture/import-rules.js';
import { bareSubscribes, undocumented } from './support/architecture/program-rules.js';
import { programOf } from './support/architecture/program.js';
import { readSources } from './support/architecture/source-files.js';
import type { SourceText } from './support/architecture/source-files.js';
import { defaultExports, nodeGlobals, starExports, tooLong } from './support/architecture/text-rules.js';

type Rule = (files: readonly SourceText[]) => readonly string[];

const ENTRIES = ['index.ts', 'bridge/stdio.ts', 'testing/index.ts', 'auth/index.ts', 'auth/node/index.ts'];
const sources = readSources();

const file = (path: string, ...lines: readonly string[]): SourceText => ({ path, text: lines.join('\n') });

/** A rule holds for `src/`, reports what it should in a bad sample, and leaves a good one alone. */
const describeRule = (
  claim: string,
  rule: Rule,
  samples: {
    readonly bad: readonly SourceText[];
    readonly reports: readonly string[];
    readonly good: readonly SourceText[];
  },
): void => {
  describe(claim, () => {
    it('holds for every file of src', () => {
      expect(rule(sources)).toEqual([]);
    });

    it('would be reported where it does not hold', () => {
      expect(rule(samples.bad)).toEqual(samples.reports);
    });

    it('leaves alone what is allowed', () => {
      expect(rule(samples.good)).toEqual([]);
    });
  });
};

describe('the architecture of src', () => {
  it('is read from the files that are there', () => {
    expect(sources.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['errors/mcp-error.ts', 'transport/transport.ts']),
    );
  });

  describeRule('a file imports its own folder and what stands before it', wrongDirections, {
    bad: [
      file('errors/a.ts', `import type { RequestId } from '../jsonrpc/index.js';`),
      file('session/a.ts', `export { connect } from '../client/connect.js';`),
      file('transport/http/a.ts', `const oauth = await import('../../auth/index.js');`),
      file('client/a.ts', `import { scriptedTransport } from '../testing/index.js';`),
      file('auth/a.ts', `import { Session } from '../session/index.js';`),
      file('testing/a.ts', `import { Registry } from '../registry/index.js';`),
      file('rx/a.ts', `let version: import('../index.js').Version;`),
      file('cli/a.ts', `import fixture from '../../spec/fixture.js';`, `import helper = require('../../helper.js');`),
      file('unheard-of/a.ts', `import { McpError } from '../errors/index.js';`),
    ],
    reports: [
      'errors/a.ts imports jsonrpc/index.ts',
      'session/a.ts imports client/connect.ts',
      'transport/http/a.ts imports auth/index.ts',
      'client/a.ts imports testing/index.ts',
      'auth/a.ts imports session/index.ts',
      'testing/a.ts imports registry/index.ts',
      'rx/a.ts imports index.ts',
      'cli/a.ts imports ../spec/fixture.ts',
      'cli/a.ts imports ../helper.ts',
      'unheard-of/a.ts imports errors/index.ts',
    ],
    good: [
      file('index.ts', `export { connect } from './client/connect.js';`),
      file('cli/a.ts', `import { McpError } from '../errors/index.js';`, `import { oauth } from '../auth/index.js';`),
      file('auth/a.ts', `import type { Transport } from '../transport/index.js';`),
      file('testing/a.ts', `import { Toolkit } from '../bridge/toolkit.js';`, `import './b.js';`),
      file('client/deep/a.ts', `import { b } from '../b.js';`, `import { of } from 'rxjs';`),
    ],
  });

  describeRule('a transport knows the seam, the framing and itself, and no other transport', mixedTransports, {
    bad: [file('transport/memory/a.ts', `import { kill } from '../stdio/kill.js';`)],
    reports: ['transport/memory/a.ts imports transport/stdio/kill.ts'],
    good: [
      file(
        'transport/stdio/a.ts',
        `import { splitLines } from '../framing/index.js';`,
        `import type {} from '../transport.js';`,
      ),
      file('transport/stdio/b.ts', `import { kill } from './kill.js';`),
    ],
  });

  describeRule('a file that loads in a browser imports none that needs Node', nodeInBrowserSafe, {
    bad: [
      file('index.ts', `export { connectStdio } from './bridge/stdio.js';`),
      file('client/connect.ts', `import { stdioConnector } from '../transport/stdio/index.js';`),
      file('auth/flow.ts', `import { openBrowser } from './node/open.js';`),
    ],
    reports: [
      'index.ts imports bridge/stdio.ts',
      'client/connect.ts imports transport/stdio/index.ts',
      'auth/flow.ts imports auth/node/open.ts',
    ],
    good: [
      file('bridge/stdio.ts', `import { stdioConnector } from '../transport/stdio/index.js';`),
      file('auth/node.ts', `import { openBrowser } from './node/open.js';`),
    ],
  });

  describeRule('a package is imported only where it belongs', strayPackages, {
    bad: [
      file('session/a.ts', `import * as z from 'zod/mini';`, `import { timer } from 'rxjs';`),
      file('protocol/a.ts', `import { z } from 'zod';`),
      file('client/a.ts', `import spawn from 'cross-spawn';`, `import { readFile } from 'node:fs/promises';`),
      file('transport/memory/a.ts', `import spawn from 'cross-spawn';`),
      file('transport/stdio/a.ts', `import { spawn } from 'child_process';`, `import left from 'left-pad';`),
      file('client/b.ts', `import { Validator } from '@cfworker/json-schema';`),
      file('registry/a.ts', `const schema = await import('@cfworker/json-schema');`),
      file('auth/a.ts', `import { DPoP } from 'oauth4webapi';`),
      file('client/c.ts', `const oauth = await import('oauth4webapi');`),
      file(
        'rx/a.ts',
        `import { Subscriber } from 'rxjs/internal/Subscriber';`,
        `import { map } from 'rxjs/operators';`,
      ),
      file('rx/b.ts', `const fs = require('node:fs');`, 'const what = await import(name);'),
      file('config/a.ts', `import { Command } from 'commander';`),
      file('cli/a.ts', `import { SingleBar } from 'cli-progress';`),
    ],
    reports: [
      'session/a.ts imports zod/mini',
      'protocol/a.ts imports zod',
      'client/a.ts imports cross-spawn',
      'client/a.ts imports node:fs/promises',
      'transport/memory/a.ts imports cross-spawn',
      'transport/stdio/a.ts imports child_process',
      'transport/stdio/a.ts imports left-pad',
      'client/b.ts imports @cfworker/json-schema',
      'registry/a.ts imports @cfworker/json-schema by import()',
      'auth/a.ts imports oauth4webapi',
      'client/c.ts imports oauth4webapi by import()',
      'rx/a.ts imports rxjs/internal/Subscriber',
      'rx/a.ts imports rxjs/operators',
      'rx/b.ts imports node:fs',
      'rx/b.ts imports (computed) by import()',
      'config/a.ts imports commander',
      'cli/a.ts imports cli-progress',
    ],
    good: [
      file('errors/a.ts', `import { of } from 'rxjs';`),
      file('protocol/schemas/a.ts', `import * as z from 'zod/mini';`),
      file('transport/stdio/a.ts', `import spawn from 'cross-spawn';`, `import { pid } from 'node:process';`),
      file('bridge/stdio.ts', `import { resolve } from 'node:path';`),
      file('protocol/a.ts', `import type { Schema } from '@cfworker/json-schema';`),
      file('auth/a.ts', `import type { JWK } from 'oauth4webapi';`),
      file('auth/b.ts', `const oauth = await import('oauth4webapi');`),
      file('bridge/a.ts', `const { Validator } = await import('@cfworker/json-schema');`),
      file('cli/program.ts', `import { Command } from 'commander';`),
    ],
  });

  describeRule('a file that loads in a browser names nothing that only Node has', nodeGlobals, {
    bad: [
      file('rx/a.ts', `export const quick = process.env['QUICK'];`, 'export const again = process.pid;'),
      file('client/a.ts', 'export const bytes = (text: string): Buffer => Buffer.from(text);'),
      file('errors/a.ts', 'export let timer: NodeJS.Timeout;'),
    ],
    reports: ['rx/a.ts uses process', 'client/a.ts uses Buffer', 'errors/a.ts uses NodeJS'],
    good: [
      file('rx/a.ts', 'export const pid = server.process.pid;', 'export const state = { process: 1 };'),
      file('transport/stdio/a.ts', 'export const pid = process.pid;'),
      file('client/a.ts', 'export interface Server { readonly process: string }'),
    ],
  });

  describeRule('a file has at most 300 lines', tooLong, {
    bad: [file('rx/a.ts', ...Array.from({ length: 301 }, () => '//'))],
    reports: ['rx/a.ts has 301 lines'],
    good: [file('rx/a.ts', ...Array.from({ length: 300 }, () => '//'), '')],
  });

  describeRule('nothing is exported as default', defaultExports, {
    bad: [
      file('rx/a.ts', 'export default 1;'),
      file('rx/b.ts', 'export default class {}'),
      file('rx/c.ts', 'const c = 1;', 'export { c as default };'),
      file('rx/d.ts', `export { default } from './a.js';`),
      file('rx/e.ts', 'const e = 1;', 'export = e;'),
    ],
    reports: ['rx/a.ts', 'rx/b.ts', 'rx/c.ts', 'rx/d.ts', 'rx/e.ts'],
    good: [
      file(
        'rx/a.ts',
        `import spawn from 'cross-spawn';`,
        'export const a = (x: number) => { switch (x) { default: return x; } };',
      ),
    ],
  });

  describeRule('each export is named', starExports, {
    bad: [file('index.ts', `export * from './client/client.js';`), file('rx/a.ts', `export * as b from './b.js';`)],
    reports: ['index.ts', 'rx/a.ts'],
    good: [
      file('index.ts', `export { McpClient } from './client/client.js';`, `export type { Tool } from './types.js';`),
    ],
  });
});

describe('what the compiler knows of src', () => {
  let program: ts.Program;
  beforeAll(() => {
    program = programOf(sources);
  }, 60_000);

  it('has every entry', () => {
    expect(sources.map(({ path }) => path)).toEqual(expect.arrayContaining(ENTRIES));
  });

  it('has a doc comment on every exported name, on the members of its classes and on each of its options', () => {
    expect(undocumented(program, ENTRIES)).toEqual([]);
  });

  it('handles the error of every subscription', () => {
    expect(bareSubscribes(program)).toEqual([]);
  });
});

describe('what the compiler would report', () => {
  let program: ts.Program;
  beforeAll(() => {
    program = programOf([
      file(
        'samples/documented.ts',
        '/** A name with its promise. */',
        'export const told = (): void => undefined;',
        'export const untold = (): void => undefined;',
        '// No doc comment.',
        'export interface Fact { readonly untoldField: string }',
        '/** The options of a call. */',
        'export interface CallOptions {',
        '  /** In milliseconds. */',
        '  readonly timeoutMs?: number;',
        '  readonly retries?: number;',
        '}',
        '/** A class. */',
        'export class Client {',
        '  readonly #hidden = 1;',
        '  constructor(readonly given: string) {}',
        '  /** Told. */',
        '  told(): number { return this.#hidden; }',
        '  untold(): number { return this.#hidden; }',
        '  get alive(): boolean { return true; }',
        '  private own(): void { this.untold(); }',
        '  override toString(): string { return this.given; }',
        '  [Symbol.toPrimitive](): string { this.own(); return this.given; }',
        '}',
      ),
      file(
        'samples/entry.ts',
        `export { told, untold, Client as Renamed } from './documented.js';`,
        `export type { CallOptions, Fact } from './documented.js';`,
      ),
      file(
        'samples/subscribes.ts',
        `import { Observable, Subject, type Observer } from 'rxjs';`,
        'declare const source: Observable<number>;',
        'source.subscribe();',
        'source.subscribe((value) => { console.log(value); });',
        'source.subscribe({ next: (value) => { console.log(value); } });',
        'export const some = (observer: Partial<Observer<number>>) => source.subscribe(observer);',
        'const next = (value: number): void => { console.log(value); };',
        'source',
        '  .pipe()',
        '  .subscribe(next);',
        'source.subscribe({ next, error: () => undefined });',
        'export const all = (observer: Observer<number>) => source.subscribe(observer);',
        'export const one = new Observable<number>((subscriber) => source.subscribe(subscriber));',
        'source.subscribe(new Subject<number>());',
        'source.subscribe({ next, ...{ error: () => undefined } });',
      ),
    ]);
  }, 60_000);

  it('is a name, a public member or an option without a doc comment', () => {
    expect(undocumented(program, ['samples/entry.ts'])).toEqual([
      'untold of samples/entry.ts',
      'Renamed.untold of samples/entry.ts',
      'Renamed.alive of samples/entry.ts',
      'CallOptions.retries of samples/entry.ts',
      'Fact of samples/entry.ts',
    ]);
  });

  it('is a subscription without an error handler, in each of its forms', () => {
    expect(bareSubscribes(program)).toEqual([
      ...['samples/subscribes.ts:3', 'samples/subscribes.ts:4', 'samples/subscribes.ts:5'],
      ...['samples/subscribes.ts:6', 'samples/subscribes.ts:10'],
    ]);
  });
});
