export interface Reading {
  readonly all: number;
  readonly own: number;
  readonly at: number;
}

export const busyTicks: (text: string) => number;
export const familyTicks: (text: string) => number;
export const reading: () => Reading | undefined;
export const foreignShare: (before: Reading | undefined, after: Reading | undefined) => number;
