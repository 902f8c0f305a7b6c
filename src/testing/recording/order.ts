import type { RequestId } from '../../jsonrpc/index.js';
import type { RecordedLine } from './lines.js';

/** A line, and which of the text it is. */
interface Placed {
  readonly line: RecordedLine;
  readonly nth: number;
}

/** One life, as far as it was read. */
interface Life {
  ended: boolean;
  readonly asked: Set<RequestId>;
  /** What was asked, and has had no answer since, failed, or been taken back. */
  readonly open: Set<RequestId>;
  /** Answers to what was not asked before, by line. */
  readonly early: Map<RequestId, number>;
  /** What was asked behind its answer, and has had no other since: by the line of that answer. */
  readonly behind: Map<RequestId, number>;
}

const settle = (life: Life, id: RequestId): void => {
  life.behind.delete(id);
  life.open.delete(id);
};

/** Takes a line into its life; returns what is wrong with it there, if anything is. */
const follow = (life: Life, { line, nth }: Placed): string | undefined => {
  if (line.kind === 'fail' && line.id !== undefined) settle(life, line.id);
  if (line.kind !== 'in' && line.kind !== 'out') return undefined;
  const { message } = line;
  if (line.kind === 'out') {
    if (!('method' in message)) return undefined;
    if (!('id' in message)) {
      if (message.method === 'notifications/cancelled') settle(life, message.params?.['requestId'] as RequestId);
      return undefined;
    }
    const { id } = message;
    if (life.open.has(id))
      return `line ${nth} sends the request ${JSON.stringify(id)} a second time, before it was answered: take one of the two out`;
    const answeredBy = life.early.get(id);
    if (answeredBy !== undefined && !life.asked.has(id)) life.behind.set(id, answeredBy);
    life.asked.add(id);
    life.open.add(id);
  } else if (!('method' in message) && message.id !== undefined) {
    settle(life, message.id);
    if (!life.asked.has(message.id)) life.early.set(message.id, nth);
  }
  return undefined;
};

/** What is wrong with the order of lines, and with which; `undefined` where they can be those of one recording. */
export const disorderIn = (lines: readonly Placed[]): string | undefined => {
  const lives: Life[] = [];
  let now = 0;
  for (const placed of lines) {
    const { line, nth } = placed;
    const isFirst = line.kind === 'open' || line.kind === 'unopened';
    const life = lives[line.life - 1];
    if (line.at < now) return `line ${nth} is earlier than the one before it: the lines are out of order`;
    now = line.at;
    if (life === undefined) {
      if (!isFirst || line.life !== lives.length + 1)
        return `line ${nth} is of life ${line.life}, which was not opened`;
      const ended = line.kind === 'unopened';
      lives.push({ ended, asked: new Set(), open: new Set(), early: new Map(), behind: new Map() });
      continue;
    }
    if (isFirst) return `line ${nth} opens life ${line.life} a second time`;
    if (life.ended) return `line ${nth} stands behind the end of life ${line.life}`;
    life.ended = line.kind === 'end';
    const fault = follow(life, placed);
    if (fault !== undefined) return fault;
  }
  for (const { behind } of lives)
    for (const [id, nth] of behind)
      return `line ${nth} answers the request ${JSON.stringify(id)}, which comes behind it: the lines are out of order`;
  return undefined;
};
