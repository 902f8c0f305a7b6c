import type { Program } from './program.js';

/** Programs that once failed, each with what it found. They are run first, always. */
export const FOUND: readonly (readonly [found: string, program: Program])[] = [
  [
    'an immediate that takes back a timer due in the same frame: a fault of the scheduler of rxjs',
    {
      era: 'auto',
      server: 'both',
      steps: [
        { do: 'call', tool: 'echo', observe: false, cancelAfter: undefined, after: 0 },
        { do: 'watch', cancelAfter: 0, after: 0 },
        { do: 'list', cancelAfter: undefined, after: 0 },
      ],
      faults: [
        { kind: 'reorder', direction: 'in', chance: 0.05, ms: 0 },
        { kind: 'delay', direction: 'in', chance: 0.05, ms: 0 },
      ],
      seed: 1900707616,
    },
  ],
];
