import fc from 'fast-check';
import type { Fault } from '../../../src/testing/index.js';

/** One thing an application does, or that happens to it, `after` ms after the one before. */
export type Step = { readonly after: number } & (
  | {
      readonly do: 'call';
      readonly tool: 'echo' | 'slow' | 'hang' | 'fail' | 'nope' | 'ask' | 'add';
      readonly observe: boolean;
      /** In ms after the call. */
      readonly cancelAfter: number | undefined;
    }
  | { readonly do: 'list' | 'read' | 'ping'; readonly cancelAfter: number | undefined }
  | { readonly do: 'watch'; readonly cancelAfter: number }
  | { readonly do: 'announce'; readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly do: 'drop' | 'close' }
);

/** What an application goes through. */
export interface Program {
  readonly era: 'auto' | 'modern' | 'legacy';
  readonly server: 'both' | 'modern' | 'legacy';
  readonly steps: readonly Step[];
  readonly faults: readonly Fault[];
  readonly seed: number;
}

const after = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 700 }));
const cancelAfter = fc.option(fc.constantFrom(0, 1, 50, 400), { nil: undefined, freq: 2 });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      tool: fc.constantFrom('echo', 'slow', 'hang', 'fail', 'nope', 'ask', 'add'),
      observe: fc.boolean(),
      cancelAfter,
      after,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('list', 'read', 'ping'), cancelAfter, after }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('watch' as const), cancelAfter: fc.constantFrom(0, 100, 2_000), after }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('announce' as const),
      kind: fc.constantFrom('tools', 'prompts', 'resources'),
      after,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), after }) },
);

const end: fc.Arbitrary<readonly Step[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.tuple(fc.record({ do: fc.constant('close' as const), after }), step) },
);

const steps = (most: number): fc.Arbitrary<readonly Step[]> =>
  fc.tuple(fc.array(step, { minLength: 1, maxLength: most }), end).map(([before, last]) => [...before, ...last]);

const fault = (...kinds: readonly Fault['kind'][]): fc.Arbitrary<Fault> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    direction: fc.constantFrom('in', 'out'),
    chance: fc.constantFrom(0.05, 0.2, 0.6),
    ms: fc.constantFrom(0, 1, 60),
  });

const eras = {
  era: fc.constantFrom('auto', 'modern', 'legacy'),
  server: fc.constantFrom('both', 'modern', 'legacy'),
} as const;

/** Programs on a wire on which anything goes wrong. */
export const rough = (most: number): fc.Arbitrary<Program> =>
  fc.record({
    ...eras,
    steps: steps(most),
    faults: fc.array(fault('delay', 'drop', 'duplicate', 'reorder', 'corrupt', 'truncate', 'cut'), { maxLength: 4 }),
    seed: fc.nat(),
  });

/** Programs on a wire that is slow and says things twice: what each call must get is known. */
export const calm = (most: number): fc.Arbitrary<Program> =>
  fc
    .record({
      era: fc.constantFrom('auto', 'modern', 'legacy'),
      steps: fc.array(step, { minLength: 1, maxLength: most }),
      faults: fc.array(
        fc.oneof(
          fault('delay'),
          fault('duplicate').map((each): Fault => ({ ...each, direction: 'in' })),
        ),
        { maxLength: 2 },
      ),
      seed: fc.nat(),
    })
    .map(({ steps: all, era, ...rest }): Program => ({
      ...rest,
      era,
      server: 'both',
      steps: all.filter((each) => each.do !== 'drop'),
    }));
