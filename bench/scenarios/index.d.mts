import type { Row } from '../support/table.mjs';

export const rows: readonly Row[];
export const rowNamed: (name: string) => Row;
