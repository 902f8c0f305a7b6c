export interface Sample {
  readonly value?: number;
  readonly wall?: number;
  readonly note?: string;
  readonly error?: string;
  readonly busy?: boolean;
}

export interface Summary {
  readonly value?: number;
  readonly wall?: number;
  readonly spread?: number;
  readonly counted?: number;
  readonly leftOut?: number;
  readonly failed?: number;
  readonly disturbed?: boolean;
  readonly notes?: readonly string[];
  readonly error?: string;
}

export const median: (values: readonly number[]) => number | undefined;
export const spread: (values: readonly number[]) => number;
export const summarise: (samples: readonly Sample[], least?: number) => Summary;
