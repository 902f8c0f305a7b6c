export const rotated: <T>(items: readonly T[], round: number) => T[];
