// The example of a config, run as its readers run it: two real servers, and two entries that have none.
import { describe, expect, it } from '@jest/globals';
import { EXAMPLE_MS, runExample } from '../support/examples.js';

describe('examples/config.ts', () => {
  it(
    'says how each server is, survives the death of one, and ends by itself',
    async () => {
      expect(await runExample('config.ts')).toEqual({
        out: [
          'everything connected mcp__everything__echo mcp__everything__get-sum',
          'thinking   connected mcp__thinking__sequentialthinking',
          expect.stringMatching(/^tickets {4}failed {4}.*the variable TICKETS_TOKEN is not set/),
          expect.stringMatching(/^weather {4}failed {4}.*no such program was found/),
          '{"role":"tool","tool_call_id":"before","content":"Echo: before","is_error":false}',
          'killed, and started again',
          '{"role":"tool","tool_call_id":"after","content":"Echo: after","is_error":false}',
        ],
        err: '',
        code: 0,
      });
    },
    EXAMPLE_MS,
  );
});
