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
  /** Answers to what was not asked before, by line. */
  readonly early: Map<RequestId, number>;
  /** What was asked behind its answer, and has had no other since: by the line of that answer. */
  readonly behind: Map<RequestId, number>;
}

const follow = (life: Life, { line, nth }: Placed): void => {
  if (line.kind === 'fail' && line.id !== undefined) life.behind.delete(line.id);
  if (line.kind !== 'in' && line.kind !== 'out') return;
  const { message } = line;
  if (line.kind === 'out') {
    if (!('method' in message)) return;
    if (!('id' in message)) {
      if (message.method === 'notifications/cancelled') life.behind.delete(message.params?.['requestId'] as RequestId);
      return;
    }
    const { id } = message;
    const answeredBy = life.early.get(id);
    if (answeredBy !== undefined && !life.asked.has(id)) life.behind.set(id, answeredBy);
    life.asked.add(id);
  } else if (!('method' in message) && message.id !== undefined) {
    life.behind.delete(message.id);
    if (!life.asked.has(message.id)) life.early.set(message.id, nth);
  }
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
      lives.push({ ended, asked: new Set(), early: new Map(), behind: new Map() });
      continue;
    }
    if (isFirst) return `line ${nth} opens life ${line.life} a second time`;
    if (life.ended) return `line ${nth} stands behind the end of life ${line.life}`;
    life.ended = line.kind === 'end';
    follow(life, placed);
  }
  for (const { behind } of lives)
    for (const [id, nth] of behind)
      return `line ${nth} answers the request ${JSON.stringify(id)}, which comes behind it: the lines are out of order`;
  return undefined;
};
