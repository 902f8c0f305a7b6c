// The example of a client over HTTP, run as its readers run it.
import { describe, expect, it } from '@jest/globals';
import { EXAMPLE_MS, runExample } from '../support/examples.js';

const visit = (era: string, version: string): readonly string[] => [
  `bakery, ${era} era, ${version}`,
  '  bake: Bakes loaves, and reports on each',
  '  loaf 1 of 3',
  '  loaf 2 of 3',
  '  loaf 3 of 3',
  "  done: { type: 'text', text: '3 loaves' }",
  '  loaf 1 of 1000',
  '  loaf 2 of 1000',
  '  that is enough, and the bakery knows',
];

describe('examples/http.ts', () => {
  it(
    'visits its server once in each era, with progress and a cancellation, and ends by itself',
    async () => {
      const { code, out, err } = await runExample('http.ts');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toEqual([...visit('modern', '2026-07-28'), ...visit('legacy', '2025-11-25')]);
    },
    EXAMPLE_MS,
  );
});
