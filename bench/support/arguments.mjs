import { parseArgs } from 'node:util';

export const usage = `npm run bench -- [names] [options]

[names] are scenarios, or rows of them by the beginning of their names (\`stdio\`, \`stdio/64\`); all without. The package is
measured as it is built: run \`npm run build\` first.

  --rounds <n>      how often each client is sampled (default 5)
  --clients <a,b>   these clients alone
  --retakes <n>     how often a sample that others disturbed is taken again within its round (default 1)
  --short           a fraction of the work in each sample: for a first look
  --figures         the rows and clients alone that a figure to reach is about
  --check           the same, short, three rounds; exits 1 where a figure is missed by more than a fifth
  --known           with --check: not for what is missed as docs/performance.md explains, unless it became worse
  --profile <dir>   each sample writes a CPU profile into this folder (its figures are then not to be trusted)
  --json <file>     write every sample as JSON
  --list            print the rows there are, and what runs each
  --help            this`;

const options = {
  rounds: { type: 'string' },
  retakes: { type: 'string', default: '1' },
  clients: { type: 'string' },
  short: { type: 'boolean', default: false },
  figures: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  known: { type: 'boolean', default: false },
  profile: { type: 'string' },
  json: { type: 'string' },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

/** What the command line asks for. Throws an `Error` that says what cannot be done. */
export const readArguments = (argv, known) => {
  const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true });
  const whole = (name, text, least) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least) return value;
    throw new Error(`--${name} must be a whole number of at least ${least}`);
  };
  if (values.known && !values.check) throw new Error('--known is of use with --check alone');
  const rounds = whole('rounds', values.rounds ?? (values.check ? 3 : 5), 1);
  const retakes = whole('retakes', values.retakes, 0);
  const clients = values.clients?.split(',');
  for (const name of clients ?? []) {
    if (!known.clients.includes(name)) {
      throw new Error(`there is no client '${name}'; there are ${known.clients.join(', ')}`);
    }
  }
  for (const name of positionals) {
    if (!known.rows.some((row) => isNamed(row, name))) {
      throw new Error(`there is no row or scenario '${name}'; --list prints those there are`);
    }
  }
  return {
    ...values,
    figures: values.figures || values.check,
    names: positionals,
    clients,
    rounds,
    retakes,
    short: values.short || values.check,
  };
};

/** Whether `name` is the row, or begins its name at whole parts: `stdio/64` names `stdio/64/legacy`. */
export const isNamed = (row, name) => row === name || row.startsWith(`${name}/`);

/** The rows that are asked for, each with the clients that are: those of `wanted` (`row` and `client`) where it is given. */
export const chosen = (rows, { names, clients }, wanted) =>
  rows
    .filter(({ name }) => names.length === 0 || names.some((asked) => isNamed(name, asked)))
    .map((row) => ({
      ...row,
      clients: row.clients.filter(
        (client) =>
          (clients === undefined || clients.includes(client)) &&
          (wanted === undefined || wanted.some((one) => one.row === row.name && one.client === client)),
      ),
    }))
    .filter((row) => row.clients.length > 0);
