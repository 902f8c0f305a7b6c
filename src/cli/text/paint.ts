import { clean } from './clean.js';

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** How a text looks. */
export type Style = keyof typeof CODES;

/** A text that is to look in some way. */
export interface Styled {
  readonly style: Style;
  readonly text: string;
}

/** A piece of a line. Whatever it is made of, it is cleaned before it is written. */
export type Part = string | Styled;

const styled =
  (style: Style) =>
  (text: string): Styled => ({ style, text });

export const bold = styled('bold');
export const dim = styled('dim');
export const red = styled('red');
export const green = styled('green');
export const yellow = styled('yellow');
export const cyan = styled('cyan');

/** The text of a piece alone. */
export const plain = (part: Part): string => (typeof part === 'string' ? part : part.text);

/**
 * Pieces as one text for a terminal. The only escape sequences in it are the styles', and those only with `colour`: each
 * piece is cleaned first.
 */
export const render = (parts: readonly Part[], colour: boolean): string =>
  parts
    .map((part) => {
      const text = clean(plain(part));
      if (typeof part === 'string' || !colour || text === '') return text;
      const [on, off] = CODES[part.style];
      return `\u001b[${on}m${text}\u001b[${off}m`;
    })
    .join('');
