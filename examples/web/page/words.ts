import type { ServerDescription } from 'rx-mcp';

// What comes from a server may be anything, whatever its type says.

/** The members of an object; of anything else, none. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** Text where there is text. */
export const textOr = <T>(value: unknown, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise);

/** What a server calls itself, if it does. */
export const nameOf = ({ info }: ServerDescription): string | undefined => {
  const { title, name } = objectOf(info);
  return textOr(title, textOr(name, undefined));
};

/** The beginning of a text, and how much more there is where there is more. A browser takes long over a very long text. */
export const clipped = (text: string, longest: number): string =>
  text.length <= longest
    ? text
    : `${text.slice(0, longest)} … (and ${(text.length - longest).toLocaleString('en')} more characters)`;
