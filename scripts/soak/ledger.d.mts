export const isMore: (before: number | string, after: number | string) => boolean;
