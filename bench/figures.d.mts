import type { Figure } from './support/verdicts.mjs';

export const figures: readonly Figure[];
