import type { Implementation } from '../../protocol/schemas/index.js';
import { NEEDS_AUTHORIZATION } from '../diagnose.js';
import { clean, oneLine, textOf } from '../text/clean.js';
import { countText, durationText } from '../text/measures.js';
import { bold, cyan, dim, green, type Part, plain, red, yellow } from '../text/paint.js';
import { table } from '../text/table.js';
import { wrap } from '../text/width.js';

/** What doctor found out about one server. */
export interface Report {
  /** Its key in the config. */
  readonly server: string;
  readonly status: 'ok' | 'failed' | 'disabled';
  readonly transport?: 'stdio' | 'http' | 'sse' | undefined;
  readonly era?: 'modern' | 'legacy' | undefined;
  readonly protocolVersion?: string | undefined;
  /** What it calls itself. */
  readonly info?: Implementation | undefined;
  readonly tools?: number | undefined;
  readonly prompts?: number | undefined;
  readonly resources?: number | undefined;
  readonly templates?: number | undefined;
  /** From its start to the end of the handshake. */
  readonly connectMs?: number | undefined;
  readonly pingMs?: number | undefined;
  readonly problem?: string | undefined;
  readonly remedy?: string | undefined;
  readonly warnings: readonly string[];
}

const MARKS: Readonly<Record<Report['status'], Part>> = { ok: green('ok'), failed: red('FAIL'), disabled: dim('off') };

const told = (value: unknown): string => oneLine(textOf(value));

const ms = (value: number | undefined): string => (value === undefined ? '' : durationText(value));

const rowOf = (report: Report): readonly Part[] => {
  const { server, status, era, protocolVersion, info, tools, prompts, resources } = report;
  const head = [MARKS[status], status === 'disabled' ? dim(server) : bold(server)];
  if (status === 'disabled') return [...head, dim('switched off')];
  if (era === undefined) return [...head, dim(report.transport === undefined ? 'not usable' : 'not reached')];
  const counts = [tools, prompts, resources].map((count) => (count === undefined ? '-' : String(count))).join('/');
  const self = info === undefined ? '' : `${told(info.name)} ${told(info.version)}`;
  return [...head, `${told(protocolVersion)} ${era}`, counts, ms(report.connectMs), ms(report.pingMs), self];
};

const HEAD = ['', 'server', 'speaks', 't/p/r', 'start', 'ping', 'calls itself'].map(dim);

/** Names of servers take no more room than this: the table is to fit. */
const LONGEST_KEY = 16;
const INDENT = '    ';

const shortKey = (row: readonly Part[]): readonly Part[] =>
  row.map((cell, column) => {
    const text = plain(cell);
    if (column !== 1 || text.length <= LONGEST_KEY) return cell;
    const cut = `${text.slice(0, LONGEST_KEY - 1)}…`;
    return typeof cell === 'string' ? cut : { ...cell, text: cut };
  });

/** The lines about one server that is not as it should be; none for one that is. */
const remarksOn = (report: Report, columns: number): readonly (readonly Part[])[] => {
  const { server, problem, remedy, warnings } = report;
  if (problem === undefined && warnings.length === 0) return [];
  if (problem === NEEDS_AUTHORIZATION && remedy !== undefined) {
    // In one line: it is the only thing to do.
    return remarksOn({ ...report, problem: `${problem}: ${remedy}`, remedy: undefined }, columns);
  }
  const lines: (readonly Part[])[] = [[], [bold(oneLine(server))]];
  for (const line of problem === undefined ? [] : clean(problem).split('\n')) {
    const indent = `  ${/^ */.exec(line)?.[0] ?? ''}`;
    lines.push([indent, red(wrap(line.trimStart(), columns - indent.length, indent))]);
  }
  for (const line of remedy === undefined ? [] : clean(remedy).split('\n')) {
    lines.push(['  ', cyan('-> '), wrap(line, columns - INDENT.length - 1, `${INDENT} `)]);
  }
  for (const warning of warnings) lines.push(['  ', yellow('warning: '), wrap(warning, columns - 11, INDENT)]);
  return lines;
};

/** What doctor says at its end: a table that fits, what is wrong with whom and what to do, and a summary. */
export const reportLines = (reports: readonly Report[], columns: number): readonly (readonly Part[])[] => {
  const count = (status: Report['status']): number => reports.filter((report) => report.status === status).length;
  const [ok, failed, disabled] = [count('ok'), count('failed'), count('disabled')];
  const parts = [
    `${ok} ok`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(disabled > 0 ? [`${disabled} switched off`] : []),
  ];
  return [
    ...table([HEAD, ...reports.map(rowOf).map(shortKey)], columns, 6),
    ...reports.flatMap((report) => remarksOn(report, columns)),
    [],
    [(failed > 0 ? red : green)(`${countText(reports.length, 'server')}: ${parts.join(', ')}`)],
  ];
};
