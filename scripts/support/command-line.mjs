import { parseArgs } from 'node:util';

/** Ends with a plain line: what was asked for cannot be done. */
export const refuse = (message) => {
  console.error(message);
  process.exit(2);
};

/** Does something; refuses with what it throws. */
export const attempt = (work, more = '') => {
  try {
    return work();
  } catch (error) {
    return refuse(`${error.message}${more}`);
  }
};

/** Reads the command line, as `parseArgs` does, with `--help` as one more option: prints `usage` and ends. */
export const readCommandLine = ({ options, ...rest }, usage, more) => {
  const parsed = attempt(
    () => parseArgs({ ...rest, options: { ...options, help: { type: 'boolean', default: false } } }),
    more,
  );
  if (parsed.values.help) {
    console.log(usage);
    process.exit(0);
  }
  return parsed;
};
