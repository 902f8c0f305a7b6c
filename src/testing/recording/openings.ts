import type { Outbound, RequestId } from '../../jsonrpc/index.js';
import type { WireForm } from '../../transport/index.js';
import type { RecordedLine } from './lines.js';

type OpenLine = Extract<RecordedLine, { kind: 'open' | 'unopened' }>;

/** How a life is opened, in either era: by the probe, or by the handshake. */
export type Opening = 'server/discover' | 'initialize';

const isOpening = (method: string): method is Opening => method === 'server/discover' || method === 'initialize';

/** Which opening a message of the client is, if it is one. */
export const openingOf = (message: Outbound): Opening | undefined =>
  'method' in message && 'id' in message && isOpening(message.method) ? message.method : undefined;

/** What a client that asks for a form of HTTP is about to send. */
export const openingOver = (form: WireForm | undefined): Opening | undefined =>
  form === undefined ? undefined : form === 'modern' ? 'server/discover' : 'initialize';

/** With which opening the client went on, if it was one. */
export const nextOpening = (lines: readonly RecordedLine[]): Opening | undefined => {
  const next = lines.find(({ kind }) => kind === 'out');
  return next?.kind === 'out' ? openingOf(next.message) : undefined;
};

const isOpenedBy = (line: RecordedLine, opening: Opening): boolean =>
  line.kind === 'out' && openingOf(line.message) === opening;

/** Whether a line is a request of these ids, or what became of it. */
const isOf = (line: RecordedLine, ids: ReadonlySet<unknown>): boolean => {
  if (line.kind === 'fail') return ids.has(line.id);
  if (line.kind !== 'in' && line.kind !== 'out') return false;
  const { message } = line;
  if (!('method' in message)) return line.kind === 'in' && ids.has(message.id);
  return line.kind === 'in'
    ? false
    : 'id' in message
      ? ids.has(message.id)
      : message.method === 'notifications/cancelled' && ids.has(message.params?.['requestId']);
};

/** The ids of the probes before the handshake that followed them in the same life; none where there was nothing else. */
const probesIn = (lines: readonly RecordedLine[]): ReadonlySet<RequestId> => {
  const ids = new Set<RequestId>();
  for (const line of lines) {
    if (line.kind !== 'out') continue;
    if (isOpenedBy(line, 'initialize')) return ids;
    if (isOpenedBy(line, 'server/discover') && 'id' in line.message) ids.add(line.message.id as RequestId);
    else if (!isOf(line, ids)) break;
  }
  return new Set();
};

/** Takes the probes before a handshake out of lines, with what was answered to them. */
export const passProbes = (lines: RecordedLine[]): void => {
  const ids = probesIn(lines);
  if (ids.size === 0) return;
  const kept = lines.filter((line) => !isOf(line, ids));
  lines.length = 0;
  for (const line of kept) lines.push(line);
};

/** Whether an opening was all that the client did in a life, and it was given no result. */
const cameToNothing = (life: readonly RecordedLine[]): boolean =>
  life.every((line) => {
    if (line.kind === 'in') return !('result' in line.message);
    if (line.kind !== 'out') return true;
    const { message } = line;
    return openingOf(message) !== undefined || ('method' in message && message.method === 'notifications/cancelled');
  });

const canBegin = (life: readonly RecordedLine[], opening: Opening): boolean =>
  nextOpening(life) === opening || (opening === 'initialize' && probesIn(life).size > 0);

/** A life to be played. */
export interface Life {
  readonly open: OpenLine;
  /** What of it is still to come: it gets shorter as it is played. */
  readonly left: RecordedLine[];
}

/** The lives of a recording, from which each is taken once. */
export class Lives {
  readonly #lives: RecordedLine[][] = [];
  #taken = 0;

  constructor(lines: readonly RecordedLine[]) {
    for (const line of lines) (this.#lives[line.life - 1] ??= []).push(line);
  }

  get remaining(): readonly RecordedLine[] {
    return this.#lives.flat();
  }

  /** How many were taken, those that are not there included. */
  get taken(): number {
    return this.#taken;
  }

  get areOver(): boolean {
    return this.#taken >= this.#lives.length;
  }

  /** The next one that a client who is about to send this can play. */
  take(opening: Opening | undefined): Life | undefined {
    if (opening !== undefined) this.#passTo(opening, this.#taken);
    const left = this.#lives[this.#taken];
    this.#taken += 1;
    const open = left?.shift();
    return left !== undefined && (open?.kind === 'open' || open?.kind === 'unopened') ? { open, left } : undefined;
  }

  /** The life to go on with in place of the one taken last, where nothing came of that, and a later one begins like this. */
  takeInstead({ left }: Life, opening: Opening): Life | undefined {
    if (this.#lives[this.#taken - 1] !== left || !this.#passTo(opening, this.#taken - 1)) return undefined;
    return this.take(undefined);
  }

  /** Nothing was done in the life taken last. */
  giveBack({ open, left }: Life): void {
    if (this.#lives[this.#taken - 1] !== left) return;
    left.unshift(open);
    this.#taken -= 1;
  }

  /** Passes over lives in which nothing came of another opening, where one begins like this behind them. */
  #passTo(opening: Opening, from: number): boolean {
    const place = this.#lives.findIndex(
      (life, index) =>
        index >= from && (canBegin(life, opening) || nextOpening(life) === undefined || !cameToNothing(life)),
    );
    const life = this.#lives[place];
    if (life === undefined || place === from || !canBegin(life, opening)) return false;
    for (const passed of this.#lives.slice(from, place)) passed.length = 0;
    this.#taken = place;
    return true;
  }
}
