import { defer, from, map, type Observable, of, raceWith, timer } from 'rxjs';
import { ManagedTools } from '../../config/managed/managed-tools.js';
import type { ConfigEntry } from '../../config/read-entry.js';
import { toolPrefix } from '../../config/tool-names.js';
import { messageOf } from '../../errors/index.js';
import type { Chosen } from '../choose.js';
import { ended } from '../connect.js';
import type { Context } from '../context.js';
import { type Diagnosis, diagnose } from '../diagnose.js';
import { CommandError } from '../exit.js';
import { loginLine } from '../login/login-line.js';
import { openTarget, stopwatch, type Target } from '../target.js';
import { oneLine } from '../text/clean.js';
import type { Report } from './report.js';

/** More warnings of one server than these say nothing new. */
const MOST_WARNINGS = 5;
const LONGEST_EXCERPT = 80;

/** Where an entry comes from. */
export type Origin = Pick<Chosen, 'projectDir' | 'fromConfig'>;

/** What is found out while a server is examined; it is a report at any time. */
interface Findings {
  speaks?: Pick<Report, 'era' | 'protocolVersion' | 'info'>;
  counts: { tools?: number; prompts?: number; resources?: number; templates?: number };
  connectMs?: number;
  pingMs?: number;
  readonly warnings: string[];
  /** What stood on the server's stdout and is no message. */
  readonly junk: string[];
}

/**
 * Counts what a list has, of the tools those that the config offers; one that fails is a warning. The tools are what a server
 * is for: their failure is one.
 */
const countLists = async ({ client, chosen }: Target, context: Context, findings: Findings): Promise<void> => {
  const { counts, warnings } = findings;
  const { prompts, resources } = await ended(
    client.server().pipe(map(({ capabilities }) => capabilities)),
    context,
    'doctor',
  );
  const tools = new ManagedTools(toolPrefix(chosen.key), chosen.server);
  counts.tools = tools.named(await ended(client.listTools(), context, 'tools/list')).length;
  warnings.push(...tools.warnings);
  const count = async (
    what: 'prompts' | 'resources' | 'templates',
    list$: Observable<readonly unknown[]>,
  ): Promise<void> => {
    try {
      counts[what] = (await ended(list$, context, what)).length;
    } catch (error) {
      if (context.signal.aborted || !client.alive) throw error;
      warnings.push(`its ${what} could not be listed: ${messageOf(error)}`);
    }
  };
  if (prompts !== undefined) await count('prompts', client.listPrompts());
  if (resources !== undefined) await count('resources', client.listResources());
  if (resources !== undefined) await count('templates', client.listResourceTemplates());
};

/** Asks a server everything that a report needs. Rejects with what went wrong. */
const interview = async (target: Target, context: Context, findings: Findings): Promise<void> => {
  const { client } = target;
  const connecting = stopwatch();
  const { era, protocolVersion, info } = await ended(client.server(), context, 'connecting');
  findings.connectMs = connecting();
  findings.speaks = { era, protocolVersion, info };
  await countLists(target, context, findings);
  const pinging = stopwatch();
  const answered = await ended(client.ping(), context, 'ping');
  if (answered) findings.pingMs = pinging();
  else findings.warnings.push('it refuses to be pinged, which harms nothing');
};

/** A server's stdout is for messages: what else it writes there is skipped, and belongs on stderr. */
const junkWarnings = ([first, ...others]: readonly string[]): readonly string[] =>
  first === undefined
    ? []
    : [
        `${others.length === 0 ? 'a line on its stdout is no message' : `${others.length + 1} lines on its stdout are no messages`}, such as ${JSON.stringify(oneLine(first))}: it should log to stderr`,
      ];

const reportOf = (
  { key }: ConfigEntry,
  transport: Report['transport'],
  { speaks, counts, connectMs, pingMs, warnings, junk }: Findings,
  diagnosis: Diagnosis | undefined,
  redact: (text: string) => string,
): Report => ({
  server: key,
  status: diagnosis === undefined ? 'ok' : 'failed',
  transport,
  ...speaks,
  ...counts,
  connectMs,
  pingMs,
  problem: diagnosis === undefined ? undefined : redact(diagnosis.problem),
  remedy: diagnosis?.remedy,
  warnings: [...junkWarnings(junk), ...warnings].slice(0, MOST_WARNINGS).map((warning) => redact(oneLine(warning))),
});

const OUT_OF_TIME = 'out of time';

const examineUsable = async (
  entry: Extract<ConfigEntry, { state: 'usable' }>,
  { projectDir, fromConfig }: Origin,
  timeoutMs: number,
  context: Context,
): Promise<Report> => {
  const { key, server, redact } = entry;
  const chosen = { key, server, projectDir, redact, fromConfig };
  const findings: Findings = { counts: {}, warnings: [], junk: [] };
  const report = (diagnosis?: Diagnosis): Report => reportOf(entry, server.transport, findings, diagnosis, redact);
  let target: Target;
  try {
    // Doctor's own clock runs over all of it.
    target = await openTarget(chosen, context, {
      retries: 0,
      asks: false,
      client: { requestTimeoutMs: 0, maxTotalMs: 0 },
    });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return report({ problem: error.message, remedy: error.remedy });
  }
  target.client.warnings$.subscribe({
    next: ({ kind, message, detail }) => {
      const excerpt = typeof detail === 'string' ? redact(detail).slice(0, LONGEST_EXCERPT) : undefined;
      if (kind === 'invalid-message') findings.junk.push(excerpt ?? message);
      else findings.warnings.push(excerpt === undefined ? message : `${message}: ${excerpt}`);
    },
    error: () => undefined,
  });
  const around = (): Parameters<typeof diagnose>[1] => ({
    server,
    stderrTail: target.stderrTail,
    junk: findings.junk[0],
    login: loginLine(chosen, context.globals),
  });
  try {
    const clock$ = timeoutMs === 0 ? [] : [timer(timeoutMs).pipe(map(() => OUT_OF_TIME))];
    const work$ = from(interview(target, context, findings)).pipe(map(() => undefined));
    const outcome = await ended(work$.pipe(raceWith<undefined, string[]>(...clock$)), context, 'doctor');
    return report(outcome === OUT_OF_TIME ? diagnose(undefined, around(), timeoutMs) : undefined);
  } catch (error) {
    if (context.signal.aborted) throw error;
    return report(diagnose(error, around()));
  } finally {
    await target.stop();
  }
};

/**
 * Examines one server of a config: emits its report once it is stopped again, and completes. Errors where the command is
 * to end, and for nothing that is the server's fault.
 * @param timeoutMs how long all of it may take; 0 is without limit
 */
export const examine = (
  entry: ConfigEntry,
  origin: Origin,
  timeoutMs: number,
  context: Context,
): Observable<Report> => {
  const { key: server } = entry;
  if (entry.state === 'disabled') return of({ server, status: 'disabled', warnings: [] });
  if (entry.state === 'failed') return of({ server, status: 'failed', problem: entry.reason, warnings: [] });
  return defer(() => from(examineUsable(entry, origin, timeoutMs, context)));
};
