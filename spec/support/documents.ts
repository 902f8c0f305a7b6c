// The README and the guides, and the examples in them.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The text of a document, by its path in the package. */
export const textOf = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');

/** The README and each of the guides. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  ...readdirSync(resolve(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `docs/${file}`),
];

/** The examples of a document that are TypeScript, in their order. */
export const examplesIn = (path: string): readonly string[] =>
  [...textOf(path).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);

/** The examples of a document that are CommonJS, in their order. */
export const scriptsIn = (path: string): readonly string[] =>
  [...textOf(path).matchAll(/^```js\n(.*?)^```$/gms)]
    .map(([, text = '']) => text)
    .filter((text) => text.includes('require('));

/** Where the links of a document lead. */
export const linksIn = (path: string): readonly string[] =>
  [...textOf(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

/** What can be linked to in a document: its headings, in the way that GitHub writes them in URLs. */
export const anchorsIn = (path: string): readonly string[] =>
  [
    ...textOf(path)
      .replace(/^```.*?^```$/gms, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
