// The example of a live list, in both eras: run as its users run it, and, with other arguments, built beforehand.
import { describe, expect, it } from '@jest/globals';
import { EXAMPLE_MS, runBuiltExample, runExample } from '../support/examples.js';

describe('the example of a live list', () => {
  it.each([
    ['modern', ['--modern']],
    ['legacy', ['--legacy']],
    ['legacy', ['--', '--legacy']],
    ['modern', []],
  ])(
    'shows the tools as they come and go, and ends with the show, in the %s era: %j',
    async (era, args) => {
      const ended = args.length === 0 ? await runExample('live-list.ts') : await runBuiltExample('live-list', ...args);
      expect(ended).toEqual({
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
