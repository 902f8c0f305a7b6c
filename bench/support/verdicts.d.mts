import type { Summary } from './statistics.mjs';

export interface Cell {
  readonly row: string;
  readonly client: string;
}

export interface Figure {
  readonly title: string;
  readonly of: Cell;
  readonly against?: Cell;
  readonly minus?: Cell;
  readonly must: number;
  readonly aim: number;
  readonly known?: number;
  readonly unit?: string;
  readonly clean?: boolean;
}

export type Judged = Figure & { readonly value?: number; readonly disturbed?: boolean; readonly verdict: string };
export type CellOf = (row: string, client: string) => Summary | undefined;

export const cellsOf: (figure: Figure) => Cell[];
export const verdicts: (figures: readonly Figure[], cell: CellOf, slack?: number) => Judged[];
export const isMissed: (judged: Pick<Judged, 'verdict'>) => boolean;
export const outcomeOf: (
  judged: readonly Pick<Judged, 'verdict' | 'disturbed'>[],
  allowsKnown?: boolean,
) => {
  readonly text: string;
  readonly code: number;
};
