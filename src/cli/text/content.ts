import type { ContentBlock, GetPromptResult, ReadResourceResult } from '../../protocol/schemas/index.js';
import { jsonText, oneLine } from './clean.js';
import { base64Bytes, sizeText } from './measures.js';
import { bold, dim, type Part } from './paint.js';

type Contents = ReadResourceResult['contents'][number];

const lined = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** What cannot be shown at a terminal, by its kind and size. */
const named = (what: string, mimeType: string | undefined, base64: unknown): Part =>
  dim(
    `[${what}${mimeType === undefined ? '' : ` ${oneLine(mimeType)}`}, ${sizeText(typeof base64 === 'string' ? base64Bytes(base64) : 0)}]\n`,
  );

/** What a server sent need not be what its type says: then it is shown as it came. */
const orAsItCame = (value: unknown, show: () => readonly Part[]): readonly Part[] => {
  try {
    return show();
  } catch {
    return [`${jsonText(value)}\n`];
  }
};

const contentsOf = (contents: Contents): readonly Part[] =>
  'text' in contents
    ? [lined(contents.text)]
    : [dim(`${oneLine(contents.uri)} `), named('bytes', contents.mimeType, contents.blob)];

/** One of the contents of a resource: a text as it is, bytes by their kind and size. */
export const contentsParts = (contents: Contents): readonly Part[] => orAsItCame(contents, () => contentsOf(contents));

const partsOf = (block: ContentBlock): readonly Part[] => {
  switch (block.type) {
    case 'text':
      return [lined(block.text)];
    case 'image':
    case 'audio':
      return [named(block.type, block.mimeType, block.data)];
    case 'resource_link': {
      const { uri, name, mimeType, description } = block;
      const facts = [mimeType, description].filter((fact) => fact !== undefined).map(oneLine);
      return [`${oneLine(uri)}  `, bold(oneLine(name)), facts.length === 0 ? '' : `  ${facts.join('  ')}`, '\n'];
    }
    case 'resource':
      return contentsOf(block.resource);
    default:
      // A later revision may have kinds that nobody knows yet.
      return [`${jsonText(block)}\n`];
  }
};

/** A piece of a result, for a person. */
export const blockParts = (block: ContentBlock): readonly Part[] => orAsItCame(block, () => partsOf(block));

/** The result of a tool, for a person: its pieces, or its value where there are none to read. */
export const resultParts = (content: readonly ContentBlock[], structured: unknown): readonly Part[] => {
  const parts = content.flatMap(blockParts);
  const hasText = content.some((block: ContentBlock | null) => block?.type === 'text' && block.text !== '');
  return structured === undefined || hasText ? parts : [...parts, `${jsonText(structured, 2)}\n`];
};

/** The messages of a prompt, each under its role. */
export const promptParts = ({ description, messages }: GetPromptResult): readonly Part[] => [
  ...(description === undefined ? [] : [dim(`${oneLine(description)}\n`)]),
  ...messages.flatMap((message) =>
    orAsItCame(message, () => [bold(`${oneLine(message.role)}:\n`), ...blockParts(message.content)]),
  ),
];
