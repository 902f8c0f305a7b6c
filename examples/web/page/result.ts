import type { CallToolResult, ContentBlock } from 'rx-mcp';
import { h } from './dom.js';
import { picture } from './picture.js';

/** A link for a person to follow, where following it can do no harm to this page; else its words. */
const linkTo = (uri: string, words: string): HTMLElement =>
  URL.canParse(uri) && new URL(uri).protocol === 'https:'
    ? h('a', { href: uri, target: '_blank', rel: 'noopener noreferrer' }, words)
    : h('span', {}, `${words} (${uri})`);

const blockOf = (block: ContentBlock): HTMLElement => {
  switch (block.type) {
    case 'text':
      return h('pre', { class: 'text' }, block.text);
    case 'image':
      return picture(`data:${block.mimeType};base64,${block.data}`, 'The picture of the result', 'shown');
    case 'resource_link':
      return h('p', {}, linkTo(block.uri, block.title ?? block.name), ` ${block.description ?? ''}`);
    case 'resource':
      return 'text' in block.resource
        ? h('pre', { class: 'text' }, block.resource.text)
        : h('p', { class: 'note' }, `${block.resource.uri}: ${block.resource.mimeType ?? 'bytes'}`);
    default:
      return h('p', { class: 'note' }, `What cannot be shown here: ${block.type}`);
  }
};

/** What a tool answered: its content, block by block, and its structured data. */
export const resultOf = ({ content, structuredContent }: CallToolResult): readonly HTMLElement[] => {
  if (structuredContent === undefined) return content.map(blockOf);
  const json = h('pre', { class: 'text data' }, JSON.stringify(structuredContent, null, 2));
  return [...content.map(blockOf), h('details', { open: true }, h('summary', {}, 'Structured data'), json)];
};
