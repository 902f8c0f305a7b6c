import { isObject } from '../../jsonrpc/index.js';
import type { ResultPart } from '../provider.js';
import { readBase64 } from './base64.js';
import { lineOf, nameOf, sizeOf } from './names.js';

/** A part that is more than text. */
export type MediaPart = Exclude<ResultPart, { readonly type: 'text' }>;

/** A piece of a result: text, or a part that is handed over, with the text that names it where it cannot be. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'media'; readonly part: MediaPart; readonly name: string; readonly bytes: number };

type Block = Readonly<Record<string, unknown>>;

const textPiece = (text: string): Piece => ({ kind: 'text', text });

/** What may stand in a `data:` URI, as the vendors' formats have it. */
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:\s*;\s*[\w.+-]+=(?:[\w.+-]+|"[^"\\\r\n]*"))*$/;

const mediaPiece = (kind: string, type: MediaPart['type'], data: unknown, mimeType: unknown, uri?: string): Piece => {
  const base64 = readBase64(data);
  if (base64 === undefined) return textPiece(nameOf(kind, uri, lineOf(mimeType), 'its data is no valid Base64'));
  const { bytes } = base64;
  const name = nameOf(kind, uri, lineOf(mimeType), sizeOf(bytes));
  // The APIs of models refuse a whole request over one part without bytes or without a media type.
  if (bytes === 0 || typeof mimeType !== 'string' || !MEDIA_TYPE.test(mimeType)) return textPiece(name);
  const part = { type, data: base64.data, mimeType };
  return { kind: 'media', part: uri === undefined ? part : { ...part, name: uri }, name, bytes };
};

const partTypeOf = (mimeType: unknown): MediaPart['type'] => {
  const [family] = typeof mimeType === 'string' ? mimeType.toLowerCase().split('/', 1) : [];
  return family === 'image' || family === 'audio' ? family : 'file';
};

const embedded = ({ resource }: Block): Piece => {
  if (!isObject(resource)) return textPiece(nameOf('resource', 'without contents'));
  const { text, blob, mimeType } = resource;
  const uri = lineOf(resource['uri']);
  if (typeof text === 'string') {
    const name = nameOf('resource', uri, lineOf(mimeType));
    return textPiece(text === '' ? name : `${name}\n${text}`);
  }
  if (blob === undefined) return textPiece(nameOf('resource', uri, lineOf(mimeType), 'without contents'));
  return mediaPiece('resource', partTypeOf(mimeType), blob, mimeType, uri);
};

const link = (block: Block): Piece => {
  const [name, uri, title, description] = ['name', 'uri', 'title', 'description'].map((key) => lineOf(block[key]));
  const called = title ?? name;
  const facts = [called === uri ? undefined : called, uri, lineOf(block['mimeType']), sizeOf(block['size'])];
  return textPiece(nameOf('resource link', ...facts, description));
};

/** A type of a later revision: whatever it has that tells what it is. */
const unknownBlock = (block: Block): Piece => {
  const { type, data, mimeType, text } = block;
  const kind = lineOf(type);
  const size = readBase64(data);
  const [uri, name] = [lineOf(block['uri']), lineOf(block['name'])];
  const facts = [name, uri, lineOf(mimeType), sizeOf(size?.bytes)];
  const label = nameOf(kind === undefined ? 'content without a type' : `content of unknown type "${kind}"`, ...facts);
  return textPiece(typeof text === 'string' && text !== '' ? `${label}\n${text}` : label);
};

const pieceOf = (block: unknown): Piece => {
  if (!isObject(block)) return textPiece(nameOf('content that is no object'));
  switch (block['type']) {
    case 'text':
      return textPiece(typeof block['text'] === 'string' ? block['text'] : nameOf('text', 'missing'));
    case 'image':
    case 'audio':
      return mediaPiece(block['type'], block['type'], block['data'], block['mimeType']);
    case 'resource':
      return embedded(block);
    case 'resource_link':
      return link(block);
    default:
      return unknownBlock(block);
  }
};

const safePieceOf = (block: unknown): Piece => {
  try {
    return pieceOf(block);
  } catch {
    // A result made in this process may hold getters and proxies.
    return textPiece(nameOf('content that cannot be read'));
  }
};

/** A value as JSON, or why there is none: a result made in this process may hold a cycle or a bigint. */
const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? nameOf('structured content that JSON has no form for');
  } catch {
    return nameOf('structured content that JSON has no form for');
  }
};

/** A result, in so far as it is one; what throws is not there. */
const readResult = (result: unknown): { readonly blocks: readonly unknown[]; readonly structured: unknown } => {
  try {
    if (!isObject(result)) return { blocks: [], structured: undefined };
    const { content, structuredContent } = result;
    return { blocks: Array.isArray(content) ? Array.from<unknown>(content) : [], structured: structuredContent };
  } catch {
    return { blocks: [], structured: undefined };
  }
};

/**
 * What there is to read in a result, in order: texts as they are, embedded text under the name of its resource, and
 * everything else as a part that can be handed over, or its name. No empty texts. Where nothing is left, the structured
 * content as JSON: otherwise it is not shown, since a server repeats it as text (MCP 2026-07-28 server/tools,
 * "Structured Content"). Nothing at all is no piece. Whatever a server sent, this throws nothing and drops nothing.
 */
export const piecesOf = (result: unknown): readonly Piece[] => {
  const { blocks, structured } = readResult(result);
  const pieces = blocks.map(safePieceOf).filter((piece) => piece.kind === 'media' || piece.text !== '');
  if (pieces.length > 0) return pieces;
  return structured === undefined ? [] : [textPiece(jsonOf(structured))];
};
