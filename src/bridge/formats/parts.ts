import type { ResultPart, ToolResult } from '../provider.js';
import { wellFormed } from '../schemas/index.js';

/** A part that is not text. */
export type MediaPart = Exclude<ResultPart, { readonly type: 'text' }>;

/** The images that OpenAI and Anthropic take. */
export const COMMON_IMAGES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

const bytesIn = (base64: string): number => {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
};

/** A part that cannot be handed over, in words for the model. */
export const nameOf = ({ type, name, mimeType, data }: MediaPart): string =>
  `[${type}: ${[...(name === undefined ? [] : [name]), mimeType, `${bytesIn(data)} bytes`].join(', ')}]`;

/** The text of one part: its own, or what names it. */
export const textOfPart = (part: ResultPart): string => wellFormed(part.type === 'text' ? part.text : nameOf(part));

/** The content of a result as one text. Half characters, for which APIs refuse a request, are replaced. */
export const textOf = ({ content }: ToolResult): string =>
  typeof content === 'string' ? wellFormed(content) : content.map(textOfPart).join('\n');

/** A data URL of a part. RFC 2397. */
export const dataUrlOf = ({ mimeType, data }: MediaPart): string => `data:${mimeType};base64,${data}`;

/** What is said of a failure that says nothing: some APIs refuse an error without a text. */
export const errorTextOf = (result: ToolResult): string => {
  const text = textOf(result);
  return text.trim() === '' ? 'The tool failed and gave no reason.' : text;
};
