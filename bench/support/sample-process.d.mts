export interface Result {
  readonly value?: number;
  readonly wall?: number;
  readonly note?: string;
  readonly error?: string;
}

export const reasonIn: (stderr: string) => string;
export const resultIn: (stdout: string, stderr: string, how: string) => Result;
export const endSamples: () => void;
export const resultOf: (
  words: readonly string[],
  settings: { readonly limitMs: number; readonly env?: NodeJS.ProcessEnv },
) => Promise<Result>;
