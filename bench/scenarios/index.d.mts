import type { SmokeRow } from '../support/smoke.mjs';
import type { Row } from '../support/table.mjs';

export const rows: readonly (Row & SmokeRow)[];
export const rowNamed: (name: string) => Row & SmokeRow;
