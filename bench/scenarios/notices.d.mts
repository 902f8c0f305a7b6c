export interface Reporting {
  readonly report: (
    name: string,
    args: object,
    onProgress: (report: { readonly progress: number }) => void,
    onResult: () => void,
  ) => Promise<unknown>;
}

export const reportsOf: (opened: Reporting, count: number) => Promise<{ lost: number; misplaced: number }>;
