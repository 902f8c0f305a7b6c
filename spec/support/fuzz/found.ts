import type { Program } from './program.js';

/** Programs that once failed, each with what it found. They are run first, always. */
export const FOUND: readonly (readonly [found: string, program: Program])[] = [];
