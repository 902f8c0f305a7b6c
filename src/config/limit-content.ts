import { counterOf, estimate } from '../bridge/render/count.js';
import { fit, fitFailure } from '../bridge/render/fit.js';
import { type Piece, piecesOf } from '../bridge/render/pieces.js';
import { whole } from '../jsonrpc/checks.js';
import { isObject } from '../jsonrpc/index.js';
import type { ContentBlock } from '../protocol/schemas/index.js';
import type { Variables } from './expand.js';
import { numberVariable } from './number-variable.js';
import type { Problems } from './problem.js';

const DEFAULT_MAX_TOKENS = 25_000;
const VARIABLE = 'MAX_MCP_OUTPUT_TOKENS';

/**
 * How long a result may be, in tokens: what its server's entry says, else the variable `MAX_MCP_OUTPUT_TOKENS`, else
 * 25 000. An odd variable is a problem where it would have counted.
 */
export const maxOutputTokensOf = (entry: number | undefined, env: Variables, problems: Problems): number =>
  entry ?? numberVariable(VARIABLE, env, whole(1), problems) ?? DEFAULT_MAX_TOKENS;

/** How results are limited. */
export interface ContentLimit {
  /** How long the text of a result may be, in tokens. */
  readonly maxOutputTokens: number;
  /** Counts the tokens of a text. Default: four characters each. */
  readonly countTokens?: ((text: string) => number) | undefined;
}

const mimeTypeOf = (value: unknown): string => {
  const type = isObject(value) ? value['mimeType'] : undefined;
  return typeof type === 'string' ? type.toLowerCase() : '';
};

const isImage = (block: unknown): boolean =>
  isObject(block) &&
  (block['type'] === 'image' ||
    (block['type'] === 'resource' &&
      isObject(block['resource']) &&
      block['resource']['blob'] !== undefined &&
      mimeTypeOf(block['resource']).startsWith('image/')));

/** The text of a block that is nothing else. */
const textsOf = (block: unknown): readonly Piece[] => {
  if (!isObject(block)) return [];
  const { type, resource } = block;
  const isText = type === 'text' || (type === 'resource' && isObject(resource) && typeof resource['text'] === 'string');
  return isText ? piecesOf({ content: [block] }) : [];
};

const noteOf = (tokens: number, limit: number): string =>
  `[The result was about ${tokens} tokens long, and was cut to ${limit}. Ask for less, such as a page or a filter. To allow ` +
  `more, raise maxOutputTokens of this server, or the variable ${VARIABLE}.]`;

/** What is said of a text that was cut, and the room that leaves for it. */
const noted = (text: string, { maxOutputTokens: limit, countTokens }: ContentLimit) => {
  const count = counterOf(countTokens);
  const counted = count(text, limit);
  // A text that is far too long is not counted, which could take long.
  const note = noteOf(Number.isFinite(counted) ? counted : estimate(text), limit);
  return { note, room: Math.max(1, limit - count(`\n\n${note}`, limit)) };
};

/** The content with one text in place of all, where the first stood. */
const replaced = (content: readonly ContentBlock[], text: string): readonly ContentBlock[] => {
  const first = content.findIndex((block) => textsOf(block).length > 0);
  return content.flatMap((block, index): readonly ContentBlock[] => {
    if (index === first) return [{ type: 'text', text }];
    return textsOf(block).length > 0 ? [] : [block];
  });
};

/**
 * The content of a result, so that a model can bear it. Texts, together longer than `maxOutputTokens`, become one text that
 * keeps its head and its tail, with a note of how much there was and how to raise the limit. A result with an image passes
 * whole. The text of a failure passes whole up to 11 000 characters, and beyond that keeps 5 000 at each end, whatever the
 * limit is. Blocks of other kinds stay as they are, and so does a content that needs no cut. Throws nothing.
 */
export const limitContent = (
  content: readonly ContentBlock[],
  isError: boolean,
  limit: ContentLimit,
): readonly ContentBlock[] => {
  const pieces = content.flatMap(textsOf);
  if (pieces.length === 0) return content;
  const count = counterOf(limit.countTokens);
  if (isError) {
    const failure = fitFailure(pieces, Infinity, count);
    return failure.cut ? replaced(content, failure.to(undefined)) : content;
  }
  if (content.some(isImage)) return content;
  const all = fit(pieces, limit.maxOutputTokens, count);
  if (!all.cut) return content;
  const { note, room } = noted(all.text, limit);
  const cut = fit(pieces, room, count);
  return replaced(content, `${cut.cut ? cut.to(undefined) : all.text}\n\n${note}`);
};
