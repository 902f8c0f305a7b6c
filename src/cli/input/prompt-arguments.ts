import type { Prompt } from '../../protocol/schemas/index.js';
import { usageError } from '../exit.js';
import { instead } from '../../jsonrpc/suggest.js';
import type { Pair } from './pairs.js';

const help = ({ name, required, description }: NonNullable<Prompt['arguments']>[number]): string =>
  `${name}${required === true ? ' (required)' : ''}${description === undefined ? '' : `: ${description}`}`;

/**
 * The arguments of a prompt, which are texts. Throws a usage error for one that it does not have, one given twice, and a
 * required one that is missing.
 */
export const promptArguments = (prompt: Prompt, pairs: readonly Pair[]): Readonly<Record<string, string>> => {
  const known = prompt.arguments ?? [];
  const names = known.map(({ name }) => name);
  const given = new Map<string, string>();
  for (const { name, text } of pairs) {
    if (!names.includes(name)) {
      throw usageError(
        `the prompt ${JSON.stringify(prompt.name)} has no argument ${JSON.stringify(name)}${instead(name, names)}`,
      );
    }
    if (given.has(name)) throw usageError(`${name} is given twice`);
    given.set(name, text);
  }
  const missing = known.filter(({ name, required }) => required === true && !given.has(name));
  if (missing.length > 0) {
    const which = missing.map(({ name }) => JSON.stringify(name)).join(', ');
    throw usageError(
      `the prompt ${JSON.stringify(prompt.name)} needs ${missing.length === 1 ? 'the argument' : 'the arguments'} ${which}`,
      missing.map(help).join('\n'),
    );
  }
  return Object.fromEntries(given);
};
