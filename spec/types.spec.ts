// The files of `types/` say at compile time what the public types must fit. Each program of the compiler takes seconds, so all of
// them are looked at together: as they stand, under the settings of others, and with faults put into the sources.
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { complaintsOf, lenient, optionsFor, ROOT, typeProgram } from './support/type-program.js';

const CHECKS = ['batches', 'fetch', 'official', 'vendors'].map((name) => `${ROOT}spec/types/${name}.ts`);
const [, FETCH = '', OFFICIAL = ''] = CHECKS;
const TYPES = `${ROOT}src/protocol/schemas/types/index.ts`;
const DOOR = `${ROOT}src/protocol/schemas/index.ts`;
const FILES = [...CHECKS, TYPES, DOOR];
const PATIENCE_MS = 120_000;

/** What is put in the place of what, and which check is to find out. */
const FAULTS: readonly (readonly [file: string, from: string, to: string, found: string])[] = [
  [
    'protocol/schemas/types/tools.ts',
    'isError?: boolean | undefined',
    'isError?: string | undefined',
    '"CallToolResult"',
  ],
  ['bridge/formats/openai.ts', "role: 'tool'", "role: 'function'", '"misfit: openai answer"'],
  ['bridge/formats/openai-responses.ts', 'call_id: string', 'call_id: number', '"misfit: openai-responses answer"'],
  ['bridge/formats/anthropic.ts', 'input_schema: InputSchema', 'input_schema: string', '"misfit: anthropic tool"'],
  ['bridge/formats/gemini.ts', 'mimeType: string', 'mimeType: number', '"misfit: gemini answer"'],
  ['bridge/formats/ai-sdk.ts', 'toolName: string', 'toolName?: string', '"misfit: ai-sdk answers"'],
  [
    'bridge/formats/answer-to.ts',
    "readonly type: 'tool_use'",
    "readonly type: 'tool_used'",
    '"misfit: anthropic content"',
  ],
  ['bridge/formats/answer-to.ts', "'args' extends keyof C", "'arg' extends keyof C", '"misfit: gemini parts"'],
  ['bridge/llm-tools.ts', "readonly observe: 'events' }", "readonly observe: 'event' }", '"misfit: events are events"'],
  ['bridge/promises.ts', 'Promise<AnswerTo<C>[]>', 'Promise<unknown[]>', '"misfit: registry answers"'],
];

const pathOf = (file: string): string => `${ROOT}src/${file}`;

const exportsOf = (program: ts.Program, name: string): readonly string[] => {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(name);
  const symbol = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  return symbol === undefined ? [] : checker.getExportsOfModule(symbol).map((found) => found.name);
};

/** The names of the pairs of types that are compared with the official ones. */
const pairsOf = (program: ts.Program): readonly string[] => {
  const names: string[] = [];
  program.getSourceFile(OFFICIAL)?.forEachChild((node) => {
    if (ts.isInterfaceDeclaration(node) && node.name.text === 'Pairs') {
      names.push(...node.members.map((member) => (member.name as ts.Identifier).text));
    }
  });
  return names;
};

describe('the public types', () => {
  // Each complaint names all that it is about.
  const options = { ...optionsFor(...CHECKS), noErrorTruncation: true };
  let strict: ts.Program;
  let drifted: string;

  beforeAll(() => {
    strict = typeProgram(FILES, options);
    const texts: Record<string, string> = {};
    for (const [file, from, to] of FAULTS) {
      const path = pathOf(file);
      texts[path] = (texts[path] ?? ts.sys.readFile(path) ?? '').replace(from, to);
    }
    drifted = complaintsOf(typeProgram(FILES, options, texts), FILES).join('\n');
  }, PATIENCE_MS);

  it.each(FILES.map((file) => [file.slice(ROOT.length), file]))(
    'are what their peers take and give: %s',
    (_name, file) => {
      expect(complaintsOf(strict, [file])).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'are so without exactOptionalPropertyTypes too',
    () => {
      expect(complaintsOf(typeProgram(FILES, lenient(options)), FILES)).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'fit what sends requests in programs for Node alone',
    () => {
      const { lib } = ts.convertCompilerOptionsFromJson({ lib: ['ES2023', 'ESNext.Disposable'] }, ROOT).options;
      expect(complaintsOf(typeProgram([FETCH], { ...options, lib: lib! }), [FETCH])).toEqual([]);
    },
    PATIENCE_MS,
  );

  it('of the protocol are all compared, and all re-exported by name', () => {
    const exported = exportsOf(strict, TYPES);
    expect(exported.length).toBeGreaterThan(40);
    expect([...pairsOf(strict)].sort()).toEqual([...exported].sort());
    expect(exported.filter((name) => !exportsOf(strict, DOOR).includes(name))).toEqual([]);
  });

  it.each(FAULTS)('would be found out if they drifted: %s, %s', (file, from, _to, found) => {
    expect(ts.sys.readFile(pathOf(file))).toContain(from);
    expect(drifted).toContain(found);
  });
});
