// The example of an agent's loop, run as its readers run it: two real servers, a toolkit, a scripted model.
import { describe, expect, it } from '@jest/globals';
import { EXAMPLE_MS, runExample } from '../support/examples.js';

describe('examples/tool-loop.ts', () => {
  it(
    'goes round until the model has its answer, with progress, and ends by itself',
    async () => {
      expect(await runExample('tool-loop.ts')).toEqual({
        out: [
          '  c2: 1 of 4',
          '  c2: 2 of 4',
          '  c2: 3 of 4',
          '  c2: 4 of 4',
          '  c1: The sum of 19 and 23 is 42.',
          '  c2: Long running operation completed. Duration: 0.4 seconds, Steps: 4.',
          '  c3: [ { "name": "answer", "entityType": "number", "observations": [ "asked by the user" ] } ]',
          '  c4: { "entities": [ { "name": "answer", "entityType": "number", "observations": [ "asked by th',
          '  c5: The sum of 19 and 23 is 42. -- signed, the user',
          expect.stringMatching(/^ {2}c6: failed: Input validation error: Invalid arguments for tool sign/),
          'the answer: The sum of 19 and 23 is 42. -- signed, the user',
        ],
        err: '',
        code: 0,
      });
    },
    EXAMPLE_MS,
  );
});
