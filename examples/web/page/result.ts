import type { CallToolResult } from 'rx-mcp';
import { h } from './dom.js';
import { picture } from './picture.js';
import { linkHost } from './url.js';
import { clipped, objectOf, textOr } from './words.js';

/** How much of a text is shown, in characters: a browser takes long to lay out a very long one. */
const LONGEST = 100_000;

const note = (words: string): HTMLElement => h('p', { class: 'note' }, words);

const textBlock = (text: string): HTMLElement => h('pre', { class: 'text', dir: 'auto' }, clipped(text, LONGEST));

/** A link for a person to follow, where that can do no harm, with where it leads; else its words. */
const linkTo = (uri: string, words: string): readonly Node[] => {
  const host = linkHost(uri);
  const name = h('bdi', {}, clipped(words, 200));
  if (host === undefined) return [name, h('span', {}, ' (', h('bdi', {}, clipped(uri, 500)), ')')];
  const link = h('a', { href: uri, target: '_blank', rel: 'noopener noreferrer' }, name);
  return [link, h('span', { class: 'note' }, ` (${host})`)];
};

/** A block as a server gave it, which may be anything. */
const blockOf = (block: unknown): HTMLElement => {
  const { type, text, mimeType, data, uri, title, name, description, resource } = objectOf(block);
  if (type === 'text' && typeof text === 'string') return textBlock(text);
  if (type === 'image' && typeof mimeType === 'string' && typeof data === 'string') {
    return picture(`data:${mimeType};base64,${data}`, 'The picture of the result', 'shown');
  }
  if (type === 'resource_link' && typeof uri === 'string') {
    const words = textOr(title, textOr(name, 'a link without a name'));
    return h('p', {}, ...linkTo(uri, words), ' ', h('bdi', {}, clipped(textOr(description, ''), 2_000)));
  }
  const inside = objectOf(resource);
  if (type === 'resource' && typeof inside['text'] === 'string') return textBlock(inside['text']);
  if (type === 'resource' && typeof inside['uri'] === 'string') {
    return note(`${clipped(inside['uri'], 500)}: ${textOr(inside['mimeType'], 'bytes')}`);
  }
  const isKnown = ['text', 'image', 'resource_link', 'resource'].includes(textOr(type, ''));
  return note(
    isKnown ? `Not as it should be: ${String(type)}` : `What cannot be shown here: ${textOr(type, 'no block')}`,
  );
};

/** What a tool answered: its content, block by block, and its structured data. */
export const resultOf = ({ content, structuredContent }: CallToolResult): readonly HTMLElement[] => {
  const blocks = Array.isArray(content) ? content.map(blockOf) : [note('The content is no list of blocks.')];
  if (structuredContent === undefined) return blocks;
  const json = h('pre', { class: 'text data' }, clipped(JSON.stringify(structuredContent, null, 2), LONGEST));
  return [...blocks, h('details', { open: true }, h('summary', {}, 'Structured data'), json)];
};
