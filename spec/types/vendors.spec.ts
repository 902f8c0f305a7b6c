import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { complaintsAbout, lenient, optionsFor, ROOT } from '../support/type-program.js';

const checks = `${ROOT}spec/types/vendors.ts`;

const complaints = complaintsAbout(checks);

describe("the vendors' shapes", () => {
  let strict: string;

  beforeAll(() => {
    strict = complaints();
  }, 120_000);

  it("are what the vendors' packages take and give, under the settings of this project", () => {
    expect(strict).toBe('');
  });

  it('are so without exactOptionalPropertyTypes too', () => {
    expect(complaints(lenient(optionsFor(checks)))).toBe('');
  }, 120_000);

  it.each([
    ['openai.ts', "role: 'tool'", "role: 'function'", 'openai answer'],
    ['openai-responses.ts', 'call_id: string', 'call_id: number', 'openai-responses answer'],
    ['anthropic.ts', 'input_schema: InputSchema', 'input_schema: string', 'anthropic tool'],
    ['gemini.ts', 'mimeType: string', 'mimeType: number', 'gemini answer'],
    ['ai-sdk.ts', 'toolName: string', 'toolName?: string', 'ai-sdk answers'],
  ])(
    'would be found out if one of them drifted: %s',
    (file, from, to, name) => {
      const path = `${ROOT}src/bridge/formats/${file}`;
      const text = ts.sys.readFile(path) ?? '';
      expect(text).toContain(from);
      expect(complaints(undefined, { [path]: text.replace(from, to) })).toContain(`"misfit: ${name}"`);
    },
    120_000,
  );
});
