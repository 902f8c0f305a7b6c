/** True under `npm run fuzz`. */
export const LONG = process.env['RX_MCP_FUZZ'] === 'long';

/** The suite always runs the same; `npm run fuzz` begins somewhere else each time, and says where. */
const SEED = Number(process.env['RX_MCP_FUZZ_SEED'] ?? 20_260_728);

/** How often a property is tried, in the suite and under `npm run fuzz`. A failure prints its seed, path and counterexample. */
export const settings = (short: number, long: number): { readonly numRuns: number; readonly seed: number } => ({
  numRuns: LONG ? long : short,
  seed: SEED,
});

/** How long a property may take altogether, in ms: for the runner, which is to notice what never ends. */
export const FUZZ_MS = LONG ? 3_600_000 : 120_000;
