import { asyncScheduler, catchError, filter, map, merge, type Observable, of, pairwise, startWith } from 'rxjs';
import type { McpClient } from '../../bridge/mcp-client.js';
import { messageOf } from '../../errors/index.js';
import { jsonText, oneLine } from '../text/clean.js';
import { bold, cyan, dim, green, type Part, red, yellow } from '../text/paint.js';
import type { Chosen } from '../choose.js';
import { logParts, warningParts } from '../lines.js';
import { offered } from '../tools.js';

/** Something that happened at a server, as `watch` tells it. */
export interface Happening {
  readonly kind:
    'state' | 'notification' | 'log' | 'stderr' | 'warning' | 'tools' | 'prompts' | 'resources' | 'templates';
  /** What it says, as JSON has it. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The same for a person, in one line. */
  readonly parts: readonly Part[];
}

type Redact = (text: string) => string;

/** Names that came and went between two lists; the first list is told as a whole. */
const changes = (kind: Happening['kind'], before: readonly string[] | undefined, now: readonly string[]): Happening => {
  if (before === undefined) {
    const names = now.map(oneLine).join(', ');
    return { kind, facts: { names: now }, parts: [String(now.length), now.length === 0 ? '' : `: ${names}`] };
  }
  const [added, removed] = [now.filter((name) => !before.includes(name)), before.filter((name) => !now.includes(name))];
  const same = added.length === 0 && removed.length === 0;
  return {
    kind,
    facts: { names: now, added, removed },
    parts: same
      ? [`${now.length}, with changes inside`]
      : [...added.map((name) => green(`+${oneLine(name)} `)), ...removed.map((name) => red(`-${oneLine(name)} `))],
  };
};

const listed = <T>(
  kind: Happening['kind'],
  list$: Observable<readonly T[]>,
  nameOf: (item: T) => string,
  redact: Redact,
): Observable<Happening> =>
  list$.pipe(
    map((items) => items.map(nameOf)),
    startWith(undefined),
    pairwise(),
    map(([before, now]) => changes(kind, before, now ?? [])),
    // One list that cannot be had costs no other.
    catchError((reason: unknown) => {
      const message = redact(messageOf(reason));
      return of<Happening>({
        kind: 'warning',
        facts: { about: kind, message },
        parts: [yellow(`${kind}: ${oneLine(message)}`)],
      });
    }),
  );

/** Progress and logs have lines of their own, or belong to calls. */
const isTold = (method: string): boolean => method !== 'notifications/message' && method !== 'notifications/progress';

/** All that happens at a server beside its answers, of its tools those that the config offers; hot, but for the lists, which connect. Never errors. */
export const happeningsOf = (
  client: McpClient,
  { server, redact }: Pick<Chosen, 'server' | 'redact'>,
): Observable<Happening> =>
  merge(
    client.state$.pipe(
      map(({ status, era, attempt, error }): Happening => {
        const reason = error === undefined ? undefined : redact(error.message);
        const words = [era, attempt === undefined ? undefined : `attempt ${attempt}`, reason].filter(
          (word) => word !== undefined,
        );
        const paint = status === 'failed' ? red : status === 'connected' ? green : bold;
        return {
          kind: 'state',
          facts: { status, era, attempt, error: reason },
          parts: [paint(status), words.length === 0 ? '' : ` ${oneLine(words.join(', '))}`],
        };
      }),
    ),
    client.notifications$.pipe(
      filter(({ method }) => isTold(method)),
      map(({ method, params }): Happening => ({
        kind: 'notification',
        facts: { method, params },
        parts: [bold(oneLine(method)), params === undefined ? '' : ` ${jsonText(params)}`],
      })),
    ),
    client.logs$.pipe(map((log): Happening => ({ kind: 'log', facts: { ...log }, parts: logParts(log, redact) }))),
    client.stderr$.pipe(
      map((line): Happening => {
        const text = redact(line);
        return { kind: 'stderr', facts: { line: text }, parts: [dim(oneLine(text))] };
      }),
    ),
    client.warnings$.pipe(
      map((warning): Happening => ({
        kind: 'warning',
        facts: { about: warning.kind, message: redact(warning.message) },
        parts: warningParts(warning, redact).slice(1),
      })),
    ),
    listed('tools', client.tools$.pipe(map((tools) => offered(tools, { server }))), ({ name }) => name, redact),
    listed('prompts', client.prompts$, ({ name }) => name, redact),
    listed('resources', client.resources$, ({ uri }) => uri, redact),
    listed('templates', client.resourceTemplates$, ({ uriTemplate }) => uriTemplate, redact),
  );

/** The time of something that happens now. */
export const now = (): number => asyncScheduler.now();

/** The word that a line of a kind begins with. */
export const kindPart = (kind: Happening['kind']): Part => {
  const text = kind.padEnd(13);
  return kind === 'warning' ? yellow(text) : cyan(text);
};
