export interface Plan {
  readonly name: string;
  readonly unit: string;
  readonly clients: readonly string[];
  readonly seldom?: readonly string[];
  readonly once?: boolean;
}

export interface Taken {
  readonly value?: number;
  readonly error?: string;
  readonly note?: string;
  readonly busy: boolean;
  readonly foreign: number;
  readonly ms: number;
}

export const takeRounds: (
  rows: readonly Plan[],
  settings: { readonly rounds: number; readonly retakes: number; readonly short: boolean; readonly profile?: string },
  sample: (row: Plan, client: string, settings: object) => Promise<Taken>,
  say: (line: string) => void,
) => Promise<Map<string, Taken[]>>;
