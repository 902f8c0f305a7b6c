import { asyncScheduler, Observable, type SchedulerLike } from 'rxjs';
import { OptionError, TransportError } from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import { boolean, type Check, checkOptions } from '../../jsonrpc/checks.js';
import type { Connector, Transport, WireForm } from '../../transport/index.js';
import { readFailure } from './failures.js';
import { readRecording, type RecordedLine } from './lines.js';
import { Lives, openingOver } from './openings.js';
import { ReplayedTransport } from './replayed-transport.js';

/** Options of {@link replay}. An unknown one is an `OptionError` that names it. */
export interface ReplayOptions {
  /** Whether the server takes the time it took. Default true; false: none. */
  readonly keepTimes?: boolean | undefined;
  /** Whose time that is. Default `asyncScheduler`, which `TestScheduler` makes virtual. */
  readonly scheduler?: SchedulerLike | undefined;
}

/** A recording as a server; {@link replay} makes one. */
export interface Replay extends Connector {
  /** What has not been played yet, of all lives: nothing, where the client has done all that was recorded. A new array each time. */
  readonly remaining: readonly RecordedLine[];
}

const CHECKS: Readonly<Record<keyof ReplayOptions, Check>> = {
  keepTimes: boolean,
  scheduler: (value, name) => {
    if (!isObject(value) || typeof value['schedule'] !== 'function')
      throw new OptionError(name, 'give a scheduler of rxjs');
  },
};

const CUT_OFF = 'the recording ends in the middle of a line, which was left out';

/**
 * Plays a recording to a client that does what was done when it was made: a connector whose lives are those of the recording. The server says
 * what it said, in order, when the client has said what it had said before that, and after as long as it took then; ids and progress tokens
 * are the client's own. Messages of the client are told by method and params, apart from `_meta`, from who it says it is, and from what was
 * redacted; several that were sent at once may come in another order. A request that was not recorded errors with a `TransportError` that
 * names it, a life that was not recorded with one that says so. What failed fails again, by an error of the same class. Where the recording
 * ends before its session did, or has no answer to a request that its client did not leave unanswered, that errors with a `TransportError`
 * that says so; half a line at the end of a text is left
 * out, which is a warning. Takes lines or their text; throws an `OptionError` for a line that is none or out of place.
 *
 * ```ts
 * const server = replay(lines);
 * const mcp = connect(server);
 * await mcp.promises.listTools(); // what it was then
 * server.remaining; // what is yet to come
 * ```
 */
export const replay = (lines: readonly string[] | string, options: ReplayOptions = {}): Replay => {
  checkOptions(options, CHECKS, 'options');
  const { keepTimes = true, scheduler = asyncScheduler } = options;
  const { lines: read, isCutOff } = readRecording(lines);
  const lives = new Lives(read);
  const [first] = read;
  const terms = { keepTimes, scheduler };
  const connector = (form?: WireForm): Observable<Transport> =>
    new Observable((subscriber) => {
      const life = lives.take(openingOver(form));
      if (life === undefined) {
        subscriber.error(new TransportError(new Error(`it has no life ${lives.taken}`), 'the recording'));
        return undefined;
      }
      const { open } = life;
      if (open.kind === 'unopened') {
        subscriber.error(readFailure(open.error));
        return undefined;
      }
      const transport = new ReplayedTransport(
        { ...life, open },
        lives,
        terms,
        isCutOff && lives.areOver ? CUT_OFF : undefined,
      );
      subscriber.next(transport);
      return () => void transport.close();
    });
  const { forms, retry } = first?.kind === 'open' || first?.kind === 'unopened' ? first : {};
  return Object.defineProperty(Object.assign(connector, { forms, retry }), 'remaining', {
    get: () => lives.remaining,
  }) as Replay;
};
