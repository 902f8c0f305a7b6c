import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameRecord } from './record.js';
import { problemsOf } from './validate.js';

const SHARED = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'notifications/cancelled',
];

/** What the whole suite must have written at least once. */
const REQUIRED: readonly { readonly era: string; readonly methods: readonly string[] }[] = [
  { era: 'modern', methods: ['server/discover', ...SHARED] },
  { era: 'legacy', methods: ['initialize', 'notifications/initialized', 'ping', 'logging/setLevel', ...SHARED] },
];
const CLASSES = ['StdioTransport', 'MemoryTransport', 'ScriptedTransport'];

const MAX_SHOWN = 20;

/** The frames of a run, counted and judged. */
export interface Tally {
  /** Ready to print: one line per method, era and revision. */
  readonly table: string;
  /** The frames that are invalid, and what is wrong with each; ready to print. */
  readonly invalid: readonly string[];
  /** What the whole suite should have written and did not. */
  readonly missing: readonly string[];
}

/** Reads the records that the processes of a run left in a folder. */
export const readRecords = (folder: string): readonly FrameRecord[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FrameRecord);

const labelOf = ({ frame, attribution }: FrameRecord): string => {
  const { method, error } = frame as { method?: string; error?: unknown };
  if (method !== undefined) return method;
  return `${error === undefined ? 'result' : 'error'} of ${attribution.answers ?? '?'}`;
};

const rows = (records: readonly FrameRecord[]): readonly (readonly [string, string, number])[] => {
  const counts = new Map<string, number>();
  for (const record of records) {
    const { era, revision } = record.attribution;
    const key = JSON.stringify([labelOf(record), `${era}/${revision}`]);
    counts.set(key, (counts.get(key) ?? 0) + record.count);
  }
  return [...counts]
    .map(([key, count]) => [...(JSON.parse(key) as [string, string]), count] as const)
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1));
};

/** A hostile server's method may be as long as it likes. */
const WIDEST = 60;

const clipped = (text: string): string => (text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text);

const tableOf = (records: readonly FrameRecord[]): string => {
  const lines = [
    ['method', 'era/revision', 'count'],
    ...rows(records).map((row) => row.map((cell) => clipped(String(cell)))),
  ];
  const width = (column: number): number => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  const [first, second, third] = [width(0), width(1), width(2)];
  return lines
    .map(
      ([method = '', revision = '', count = '']) =>
        `${method.padEnd(first)}  ${revision.padEnd(second)}  ${count.padStart(third)}`,
    )
    .join('\n');
};

const judge = (records: readonly FrameRecord[]): readonly string[] => {
  const faults = records.flatMap((record) => {
    const problems = problemsOf(record.frame, record.attribution);
    if (problems.length === 0) return [];
    const { era, revision } = record.attribution;
    const text = JSON.stringify(record.frame).slice(0, 500);
    return [
      `${labelOf(record)} (${era}/${revision}, ${record.via}, ${record.spec})\n  ${problems.join('\n  ')}\n  ${text}`,
    ];
  });
  return faults.length <= MAX_SHOWN ? faults : [...faults.slice(0, MAX_SHOWN), `and ${faults.length - MAX_SHOWN} more`];
};

const missingOf = (records: readonly FrameRecord[]): readonly string[] => {
  const written = new Set(records.map((record) => `${labelOf(record)} in the ${record.attribution.era} era`));
  const used = new Set(records.map(({ via }) => via));
  return [
    ...REQUIRED.flatMap(({ era, methods }) => methods.map((method) => `${method} in the ${era} era`)).filter(
      (name) => !written.has(name),
    ),
    ...CLASSES.filter((name) => !used.has(name)).map((name) => `any frame through ${name}`),
  ];
};

/** Counts and judges the frames of a run. */
export const tally = (records: readonly FrameRecord[]): Tally => ({
  table: tableOf(records),
  invalid: judge(records),
  missing: missingOf(records),
});
