import { catchError, EMPTY, from, lastValueFrom, mergeMap, tap, toArray } from 'rxjs';
import { startupTimeoutMs } from '../../config/timeouts.js';
import { Problems } from '../../config/problem.js';
import { chooseByOption } from '../choose.js';
import type { Context } from '../context.js';
import { examine } from '../doctor/examine.js';
import { type Report, reportLines } from '../doctor/report.js';
import { instead } from '../../jsonrpc/suggest.js';
import { configError, EXIT, type ExitCode, usageError } from '../exit.js';
import { locateConfig, tellProblems } from '../locate.js';
import { openProgress, unseen } from '../progress.js';
import { dim } from '../text/paint.js';
import type { LoadedConfig } from '../../config/load-config.js';

type Examined = Pick<LoadedConfig, 'entries' | 'projectDir' | 'file'>;

/** What is to be examined: the config, or the one server that is named by an option. */
const patients = async (context: Context, keys: readonly string[]): Promise<Examined> => {
  const chosen = chooseByOption(context);
  if (chosen !== undefined) {
    const [more] = keys;
    if (more !== undefined) throw usageError(`${JSON.stringify(more)} is one argument too many`);
    const { key, server, projectDir, redact } = chosen;
    return { entries: [{ key, path: '', state: 'usable', server, redact }], projectDir, file: undefined };
  }
  const loaded = await locateConfig(context);
  const known = loaded.entries.map(({ key }) => key);
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const where = loaded.file ?? 'the config';
    throw configError(`${where} has no server ${JSON.stringify(unknown)}${instead(unknown, known)}`);
  }
  const isMeant = (key: string | undefined): boolean => key === undefined || keys.length === 0 || keys.includes(key);
  // Errors are in the reports of their servers.
  tellProblems(
    context,
    loaded.problems.filter(({ level, server }) => isMeant(server) && (level !== 'error' || server === undefined)),
  );
  return { ...loaded, entries: loaded.entries.filter(({ key }) => isMeant(key)) };
};

/** `rx-mcp doctor`: examines all servers of the config at once, or those that are named, and says what is wrong and what to do. */
export const doctor = async (context: Context, words: readonly string[]): Promise<ExitCode> => {
  const { io, screen, globals } = context;
  const { entries, projectDir, file } = await patients(context, words);
  const problems = new Problems();
  const timeoutMs = globals.timeoutMs ?? startupTimeoutMs(undefined, io.env, problems);
  tellProblems(context, problems.all);
  if (file !== undefined && !globals.json) screen.out(dim(file));

  const live = screen.live ? await openProgress(io, screen, 'doctor') : unseen;
  const waiting = new Set(entries.map(({ key }) => key));
  live.show({ progress: 0, total: entries.length });
  const failures: unknown[] = [];
  const examined$ = from(entries).pipe(
    mergeMap((entry) =>
      examine(entry, { projectDir, fromConfig: file !== undefined }, timeoutMs, context).pipe(
        // Each is stopped before the command ends, whatever it ends by.
        catchError((reason: unknown) => {
          failures.push(reason);
          return EMPTY;
        }),
      ),
    ),
    tap(({ server }) => {
      waiting.delete(server);
      live.show({ progress: entries.length - waiting.size, total: entries.length, message: [...waiting].join(', ') });
    }),
    toArray(),
  );
  const found = await lastValueFrom(examined$).finally(() => live.stop());
  if (failures.length > 0) throw failures[0];
  // In the order of the file, whoever was first.
  const reports = entries.flatMap(({ key }) => found.find(({ server }) => server === key) ?? []);
  if (globals.json) screen.json({ file, servers: reports });
  else for (const line of reportLines(reports, screen.columns)) screen.out(...line);
  return reports.some(({ status }: Report) => status === 'failed') ? EXIT.failed : EXIT.ok;
};
