// The example of a live list, run as its users run it, in both eras.
import { describe, expect, it } from '@jest/globals';
import { EXAMPLE_MS, runExample } from '../support/examples.js';

describe('the example of a live list', () => {
  it.each([
    ['modern', ['--modern']],
    ['legacy', ['--legacy']],
    ['legacy', ['--', '--legacy']],
    ['modern', []],
  ])(
    'shows the tools as they come and go, and ends with the show, in the %s era: %j',
    async (era, args) => {
      expect(await runExample('live-list.ts', ...args)).toEqual({
        out: [
          `era: ${era}`,
          'next_scene  (+next_scene)',
          'next_scene, juggle  (+juggle)',
          'next_scene, juggle, sing  (+sing)',
          'next_scene, sing  (-juggle)',
          'sing  (-next_scene)',
        ],
        err: '',
        code: 0,
      });
    },
    EXAMPLE_MS,
  );
});
