import { OptionError } from '../../errors/index.js';
import { isObject, type Inbound, type Outbound } from '../../jsonrpc/index.js';

/** When and in which life of the wire something was recorded. */
interface Moment {
  /** The first life is 1. */
  readonly life: number;
  /** In ms since the recording began. */
  readonly at: number;
}

/** One line of a recording, read. */
export type RecordedLine = Moment &
  (
    | { readonly kind: 'open'; readonly cancelBy: 'notice' | 'hang-up'; readonly mirrorsHeaders: boolean }
    | { readonly kind: 'in'; readonly message: Inbound }
    | { readonly kind: 'out'; readonly message: Outbound }
    /** The wire ended: by itself where there is a reason, else by the client. */
    | { readonly kind: 'end'; readonly reason?: string | undefined }
  );

const isLine = (value: unknown): value is RecordedLine => {
  if (!isObject(value)) return false;
  const { life, at, kind, message, reason, cancelBy } = value;
  if (!Number.isSafeInteger(life) || (life as number) < 1) return false;
  if (typeof at !== 'number' || !Number.isFinite(at) || at < 0) return false;
  if (kind === 'open') return cancelBy === 'notice' || cancelBy === 'hang-up';
  if (kind === 'end') return reason === undefined || typeof reason === 'string';
  return (kind === 'in' || kind === 'out') && isObject(message);
};

/** Reads the lines of a recording; empty ones are skipped. Throws an `OptionError` that names the first that is none. */
export const readLines = (lines: readonly string[] | string): readonly RecordedLine[] => {
  const texts: readonly unknown[] = typeof lines === 'string' ? lines.split(/\r?\n/) : lines;
  if (!Array.isArray(texts)) throw new OptionError('lines', 'give the lines of a recording, or their text');
  return texts.flatMap((text: unknown, index): readonly RecordedLine[] => {
    if (typeof text === 'string' && text.trim() === '') return [];
    let value: unknown;
    try {
      value = JSON.parse(String(text));
    } catch {
      value = undefined;
    }
    if (isLine(value)) return [value];
    throw new OptionError('lines', `line ${index + 1} is no line of a recording`);
  });
};
