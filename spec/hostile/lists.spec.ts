// Lists of tools that are not as they should be, over either wire.
import { describe, expect, jest } from '@jest/globals';
import { overHttp } from '../support/hostile/over-http.js';
import { overStdio } from '../support/hostile/over-stdio.js';
import { declared, fails, gives, type Row, timesOut } from '../support/hostile/rows.js';

jest.setTimeout(60_000);

const listed: NonNullable<Row['ask']> = async (client, bound) =>
  (await client.promises.listTools(bound)).map(({ name, inputSchema }) => `${name}: ${String(inputSchema.type)}`);
const GREET = 'greet: object';
const INVALID = fails('InvalidMessageError', { method: 'tools/list' });

/** Lists the tools, so that the output schema of `deed` is known, and calls it. */
const checked: NonNullable<Row['ask']> = async (client, bound) => {
  await client.promises.listTools(bound);
  return client.promises.callTool('deed', {}, bound);
};
const OUTPUT = gives(expect.objectContaining({ content: [], structuredContent: expect.anything() }));

/** The names of declarations: legal for every model, and no two alike. */
const legal = (count: number) => ({
  asymmetricMatch: (names: unknown): boolean =>
    Array.isArray(names) &&
    names.length === count &&
    new Set(names).size === count &&
    names.every((name) => typeof name === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(name)),
  toString: () => `${String(count)} legal names`,
});

const LATE: Row = {
  server: 'gives pages without end, each a little late',
  ...timesOut('each page comes in time, and there is always one more', 200),
  ask: async (client, { timeoutMs }) => client.promises.listTools({ timeoutMs: 20_000, maxTotalMs: timeoutMs }),
};

const ROWS: readonly Row[] = [
  { server: 'gives a cursor that loops', ask: listed, outcome: INVALID },
  { server: 'gives the same cursor again and again', ask: listed, outcome: INVALID },
  { server: 'gives cursors that are none', ask: listed, outcome: gives([GREET]) },
  { server: 'gives a null cursor', ask: listed, outcome: gives([GREET]) },
  { server: 'gives no list of tools', ask: listed, outcome: INVALID },
  { server: 'gives null for its tools', ask: listed, outcome: INVALID },
  { server: 'gives its tools as an object', ask: listed, outcome: INVALID },
  { server: 'refuses the second page', ask: listed, outcome: fails('ProtocolError', { code: -32602 }) },
  { server: 'does not know its own list', ask: listed, outcome: gives([]) },
  { server: 'gives entries that are no tools', ask: listed, outcome: gives([GREET]), warns: ['malformed-entry'] },
  // Of those beyond 100 000 nothing is said but that there are some.
  { server: 'gives a million entries that are none', ask: listed, outcome: gives([GREET]), warns: ['malformed-entry'] },
  { ...LATE, eras: ['legacy'] },
  {
    server: 'gives tools with broken schemas',
    ask: listed,
    outcome: gives([
      GREET,
      ...['missing', 'null', 'text', 'list', 'array', 'types', 'nothing', 'true'].map((name) => `${name}: object`),
    ]),
    warns: ['malformed-entry'],
  },
  { server: 'gives tools with broken schemas', ask: declared, outcome: gives(legal(9)), warns: ['malformed-entry'] },
  {
    server: 'gives a tool whose schema refers to itself',
    ask: declared,
    outcome: gives(expect.arrayContaining(['greet', 'tree'])),
  },
  { server: 'gives a tool whose schema is nonsense', ask: declared, outcome: gives(expect.arrayContaining(['greet'])) },
  {
    server: 'gives a page with a tool of 20 000 levels, and another page',
    ask: listed,
    outcome: gives(['deed: object', GREET]),
  },
  {
    server: 'gives a tool whose schema is 10 000 levels deep',
    ask: listed,
    outcome: gives([GREET, 'deed: object']),
    // In the depths there may be parameters to mirror in headers, so that it could not be called.
    onHttp: gives([GREET]),
    eras: ['modern'],
  },
  {
    server: 'gives a tool whose schema is 10 000 levels deep',
    ask: listed,
    outcome: gives([GREET, 'deed: object']),
    eras: ['legacy'],
  },
  {
    server: 'gives a tool whose schema is 10 000 levels deep',
    ask: declared,
    outcome: gives(expect.arrayContaining(['greet'])),
  },
  {
    server: 'gives a tool whose schema has 20 000 properties',
    ask: declared,
    outcome: gives(expect.arrayContaining(['greet'])),
  },
  { server: 'gives two tools of one name', ask: listed, outcome: gives([GREET, 'deed: object', 'deed: object']) },
  { server: 'gives two tools of one name', ask: declared, outcome: gives(['deed', 'greet']) },
  { server: 'gives names of 10 000 characters', ask: declared, outcome: gives(legal(3)) },
  // The tool without a name is left out: a model could not call it.
  { server: 'gives names that no model may be told', ask: declared, outcome: gives(legal(9)) },
  { server: 'gives 10 000 tools', ask: declared, outcome: gives(legal(10_000)) },
  {
    server: 'gives annotations and descriptions that are none',
    ask: declared,
    outcome: gives(legal(3)),
  },
  { server: 'gives an output schema that refers to itself', ask: checked, outcome: OUTPUT, warns: ['output-schema'] },
  {
    server: 'gives an output schema that refers to the network',
    ask: checked,
    outcome: OUTPUT,
    warns: ['output-schema'],
  },
  // It can be compiled, but nothing fits it.
  { server: 'gives an output schema that is nonsense', ask: checked, outcome: OUTPUT, warns: ['output-invalid'] },
  {
    server: 'gives an output schema with a pattern that takes for ever',
    ask: checked,
    outcome: OUTPUT,
    warns: ['output-schema'],
  },
  {
    server: 'gives an output schema of patterns that together take for ever',
    ask: checked,
    outcome: OUTPUT,
    // What cannot be said to fit does not.
    warns: ['output-invalid'],
  },
  { server: 'gives an output schema that doubles itself ten times', ask: checked, outcome: OUTPUT },
  { server: 'gives an output schema of unique numbers, and 100 000', ask: checked, outcome: OUTPUT },
  {
    server: 'gives an output schema of unique objects, and 5 000',
    ask: checked,
    outcome: OUTPUT,
    warns: ['output-schema'],
  },
  {
    server: 'gives an output schema of 10 000 choices for each of 10 000 items',
    ask: checked,
    outcome: OUTPUT,
    warns: ['output-schema'],
  },
  {
    server: 'gives an output schema and no output',
    ask: checked,
    outcome: gives(expect.objectContaining({ content: [] })),
    warns: ['output-invalid'],
  },
];

describe('a list on a line of stdout', () => overStdio(ROWS));
describe('a list as an event of a stream', () => overHttp(ROWS));
// As many answers as there may be pages. A modern call over HTTP would wait for the list: it may say what to mirror.
describe('a list of too many pages', () =>
  overStdio([
    { server: 'gives pages without end', ask: listed, outcome: INVALID, eras: ['modern'] },
    { ...LATE, eras: ['modern'] },
  ]));
// Whatever the wire, it takes all the time a check may take.
describe('a schema that costs what one may cost', () =>
  overStdio([
    {
      server: 'gives an output schema that doubles itself forty times',
      ask: checked,
      outcome: OUTPUT,
      warns: ['output-schema'],
      eras: ['modern'],
    },
  ]));
