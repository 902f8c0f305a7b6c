import type { ResultPart } from '../provider.js';
import { type Count, mediaTokens } from './count.js';
import { cutToCharacters, cutToTokens } from './cut.js';
import type { Piece } from './pieces.js';

/** What a model reads: text, or where more than text is handed over, parts. */
export type Content = string | readonly ResultPart[];

/** How a result fits: as `content`, or with a text that must be cut. `tokens` is what it takes before that. */
export type Fit =
  | { readonly cut: false; readonly content: Content; readonly tokens: number }
  | {
      readonly cut: true;
      readonly text: string;
      readonly tokens: number;
      /** Cuts the text; `where` the whole is goes into the marker. */
      readonly to: (where: string | undefined) => string;
    };

/** What a model is told where a tool gave nothing: left with an empty text, it may well call the tool again. */
export const NOTHING = 'The tool returned no content.';

/** Failures of more characters are cut, to so many at each end. */
const LONG_FAILURE = 11_000;
const KEPT_OF_FAILURE = 2 * 5_000;

/** Blocks are things of their own: with a single line break they would look like the lines of one. */
const SEPARATOR = '\n\n';

const textOf = (piece: Piece): string => (piece.kind === 'text' ? piece.text : piece.name);

const joined = (pieces: readonly Piece[]): string => pieces.map(textOf).join(SEPARATOR);

/** The media that fit beside the text, in order; the others become their names. */
const withMedia = (
  pieces: readonly Piece[],
  limit: number,
  tokensOf: (text: string) => number,
): { readonly pieces: readonly Piece[]; readonly left: number } => {
  let left = limit - tokensOf(joined(pieces.filter(({ kind }) => kind === 'text')));
  const chosen = pieces.map((piece): Piece => {
    if (piece.kind === 'text') return piece;
    const tokens = mediaTokens(piece.part.type, piece.bytes);
    const fits = tokens <= left;
    left -= fits ? tokens : tokensOf(piece.name + SEPARATOR);
    return fits ? piece : { kind: 'text', text: piece.name };
  });
  return { pieces: chosen, left };
};

/** Texts that follow each other as one part, the others as they are. */
const partsOf = (pieces: readonly Piece[]): readonly ResultPart[] => {
  const parts: ResultPart[] = [];
  let texts: Piece[] = [];
  const flush = (): void => {
    if (texts.length > 0) parts.push({ type: 'text', text: joined(texts) });
    texts = [];
  };
  for (const piece of pieces) {
    if (piece.kind === 'text') texts.push(piece);
    else {
      flush();
      parts.push(piece.part);
    }
  }
  flush();
  return parts;
};

const hasMedia = (pieces: readonly Piece[]): boolean => pieces.some(({ kind }) => kind === 'media');

const fitText = (text: string, limit: number, count: Count): Fit => {
  const tokens = limit === Infinity ? 0 : count(text, limit);
  if (tokens <= limit) return { cut: false, content: text, tokens };
  return { cut: true, text, tokens, to: (where) => cutToTokens(text, limit, count, where) };
};

/**
 * Fits a result into a number of tokens. Text comes first: media that do not fit beside it are replaced by their names,
 * in the order in which they came, and if the text alone is too long, all of them are and it is cut. The estimates of
 * `mediaTokens` say what media take. With no limit nothing is counted.
 */
export const fit = (pieces: readonly Piece[], limit: number, count: Count): Fit => {
  if (pieces.length === 0) return { cut: false, content: NOTHING, tokens: count(NOTHING, Infinity) };
  if (!hasMedia(pieces)) return fitText(joined(pieces), limit, count);
  if (limit === Infinity) return { cut: false, content: partsOf(pieces), tokens: 0 };
  const chosen = withMedia(pieces, limit, (text) => count(text, limit));
  if (chosen.left < 0 || !hasMedia(chosen.pieces)) return fitText(joined(pieces), limit, count);
  return { cut: false, content: partsOf(chosen.pieces), tokens: limit - chosen.left };
};

/**
 * Fits a failure, whose text is what a model corrects itself by: it is whole up to 11 000 characters, and keeps 5 000 at
 * each end beyond that, whatever the limit is. Media count alone against the limit.
 */
export const fitFailure = (pieces: readonly Piece[], limit: number, count: Count): Fit => {
  if (pieces.length === 0) return fit(pieces, limit, count);
  const { pieces: chosen, left } = withMedia(pieces, limit, () => 0);
  const text = joined(chosen);
  const takes = (kept: string): number => count(kept, Infinity);
  if (text.length > LONG_FAILURE) {
    const whole = joined(pieces);
    const tokens = takes(cutToCharacters(whole, KEPT_OF_FAILURE));
    return { cut: true, text: whole, tokens, to: (where) => cutToCharacters(whole, KEPT_OF_FAILURE, where) };
  }
  const media = limit === Infinity ? 0 : limit - left;
  if (!hasMedia(chosen)) return { cut: false, content: text, tokens: takes(text) };
  return { cut: false, content: partsOf(chosen), tokens: takes(text) + media };
};
