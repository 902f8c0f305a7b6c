export const short: (value: number | undefined) => string;
export const markdown: (heading: readonly string[], rows: readonly (readonly (string | number)[])[]) => string;
