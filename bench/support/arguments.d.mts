export interface Known {
  readonly clients: readonly string[];
  readonly rows: readonly string[];
}

export interface Arguments {
  readonly names: readonly string[];
  readonly clients: readonly string[] | undefined;
  readonly rounds: number;
  readonly retakes: number;
  readonly short: boolean;
  readonly check: boolean;
  readonly list: boolean;
  readonly help: boolean;
  readonly profile?: string;
  readonly json?: string;
}

export const usage: string;
export const readArguments: (argv: readonly string[], known: Known) => Arguments;
export const isNamed: (row: string, name: string) => boolean;
export const chosen: <R extends { readonly name: string; readonly clients: readonly string[] }>(
  rows: readonly R[],
  asked: Pick<Arguments, 'names' | 'clients'>,
  wanted?: readonly { readonly row: string; readonly client: string }[],
) => R[];
