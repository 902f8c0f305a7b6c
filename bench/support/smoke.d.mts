export interface SmokeRow {
  readonly name: string;
  readonly clients: readonly string[];
  readonly run: (
    client: string,
    settings: { readonly work: 'whole' | 'short' | 'smoke' },
  ) => Promise<{ value: number }>;
}

export const smoke: (rows: readonly SmokeRow[]) => Promise<string[]>;
