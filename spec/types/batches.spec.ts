import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const checks = `${root}spec/types/batches.ts`;

const projectOptions = (): ts.CompilerOptions => {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile) as { config: object };
  return ts.parseJsonConfigFileContent({ ...config, include: [], files: [checks] }, ts.sys, root).options;
};

// Files of packages are parsed once for all programs.
const parsed = new Map<string, ts.SourceFile | undefined>();

const complaints = (options: ts.CompilerOptions, replaced: Readonly<Record<string, string>> = {}): string => {
  const host = ts.createCompilerHost(options);
  const parse = host.getSourceFile.bind(host);
  host.getSourceFile = (name, target) => {
    const text = replaced[name];
    if (text !== undefined) return ts.createSourceFile(name, text, target);
    if (!parsed.has(name)) parsed.set(name, parse(name, target));
    return parsed.get(name);
  };
  const program = ts.createProgram([checks], options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(checks))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
    .join('\n');
};

describe('the calls of a model as its vendor types them', () => {
  let strict: string;

  beforeAll(() => {
    strict = complaints(projectOptions());
  }, 120_000);

  it("are answered by what the vendor's next request takes, under the settings of this project", () => {
    expect(strict).toBe('');
  });

  it('are so without exactOptionalPropertyTypes too', () => {
    const options = { ...projectOptions(), exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: false };
    expect(complaints(options)).toBe('');
  }, 120_000);

  it.each([
    ['formats/answer-to.ts', "readonly type: 'tool_use'", "readonly type: 'tool_used'", 'anthropic content'],
    ['formats/answer-to.ts', "'args' extends keyof C", "'arg' extends keyof C", 'gemini parts'],
    ['llm-tools.ts', "readonly observe: 'events' }", "readonly observe: 'event' }", 'events are events'],
    ['promises.ts', 'Promise<AnswerTo<C>[]>', 'Promise<unknown[]>', 'registry answers'],
  ])(
    'would be found out if they were not: %s, %s',
    (file, from, to, name) => {
      const path = `${root}src/bridge/${file}`;
      const text = ts.sys.readFile(path) ?? '';
      expect(text).toContain(from);
      expect(complaints(projectOptions(), { [path]: text.replace(from, to) })).toContain(`"misfit: ${name}"`);
    },
    120_000,
  );
});
