import type { Summary } from './statistics.mjs';
import type { CellOf, Judged } from './verdicts.mjs';

export interface Row {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly yardstick?: string;
  readonly clients: readonly string[];
}

export const cellText: (summary: Summary | undefined, yardstick: Summary | undefined, key?: 'value' | 'wall') => string;
export const resultTable: (rows: readonly Row[], cell: CellOf, titleOf: (client: string) => string) => string;
export const figureTable: (judged: readonly Judged[]) => string;
