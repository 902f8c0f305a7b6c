import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { complaintsAbout, lenient, optionsFor, ROOT } from '../support/type-program.js';

const checks = `${ROOT}spec/types/batches.ts`;

const complaints = complaintsAbout(checks);

describe('the calls of a model as its vendor types them', () => {
  let strict: string;

  beforeAll(() => {
    strict = complaints();
  }, 120_000);

  it("are answered by what the vendor's next request takes, under the settings of this project", () => {
    expect(strict).toBe('');
  });

  it('are so without exactOptionalPropertyTypes too', () => {
    expect(complaints(lenient(optionsFor(checks)))).toBe('');
  }, 120_000);

  it.each([
    ['formats/answer-to.ts', "readonly type: 'tool_use'", "readonly type: 'tool_used'", 'anthropic content'],
    ['formats/answer-to.ts', "'args' extends keyof C", "'arg' extends keyof C", 'gemini parts'],
    ['llm-tools.ts', "readonly observe: 'events' }", "readonly observe: 'event' }", 'events are events'],
    ['promises.ts', 'Promise<AnswerTo<C>[]>', 'Promise<unknown[]>', 'registry answers'],
  ])(
    'would be found out if they were not: %s, %s',
    (file, from, to, name) => {
      const path = `${ROOT}src/bridge/${file}`;
      const text = ts.sys.readFile(path) ?? '';
      expect(text).toContain(from);
      expect(complaints(undefined, { [path]: text.replace(from, to) })).toContain(`"misfit: ${name}"`);
    },
    120_000,
  );
});
