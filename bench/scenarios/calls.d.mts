export interface Counts {
  readonly whole: number;
  readonly short: number;
  readonly smoke: number;
}

export const countsOf: (kind: 'stdio' | 'memory', inFlight: number, client: string) => Counts;
