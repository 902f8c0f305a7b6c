// What the raw servers offer: one tool for each kind of work, and as many more as a list shall have.

const text = (value) => ({ content: [{ type: 'text', text: value }] });

// Lines as a log has them: quotes that JSON escapes, and now and then a letter of two bytes.
const logLine = '2026-01-01T00:00:00.000Z info  request "GET /orders/17?q=caf\u00e9" took 12 ms in worker 3\n';

const largeTexts = new Map();

/** A result of so many bytes of text, the same object each time. */
const large = ({ bytes }) => {
  let result = largeTexts.get(bytes);
  if (result === undefined) {
    result = text(logLine.repeat(Math.ceil(bytes / logLine.length)).slice(0, bytes));
    largeTexts.set(bytes, result);
  }
  return result;
};

const outputSchema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    celsius: { type: 'number', minimum: -100, maximum: 100 },
    hours: {
      type: 'array',
      items: {
        type: 'object',
        properties: { at: { type: 'string' }, celsius: { type: 'number' }, sky: { enum: ['clear', 'cloud', 'rain'] } },
        required: ['at', 'celsius', 'sky'],
      },
    },
  },
  required: ['city', 'celsius', 'hours'],
};

const weather = {
  city: 'Riga',
  celsius: 12.5,
  hours: Array.from({ length: 12 }, (_, n) => ({ at: `${n}:00`, celsius: n, sky: ['clear', 'cloud', 'rain'][n % 3] })),
};

const readOnly = { readOnlyHint: true, idempotentHint: true };

/** The tools that do something. A call of `hold` is never answered; `notices` is up to the server. */
export const working = {
  echo: {
    tool: { name: 'echo', description: 'Says it again', inputSchema: { type: 'object' }, annotations: readOnly },
    run: ({ text: said = '' }) => text(said),
  },
  large: {
    tool: { name: 'large', description: 'A text of so many bytes', inputSchema: { type: 'object' } },
    run: large,
  },
  weather: {
    tool: { name: 'weather', description: 'Twelve hours', inputSchema: { type: 'object' }, outputSchema },
    run: () => ({ content: [{ type: 'text', text: 'twelve hours' }], structuredContent: weather }),
  },
  notices: {
    tool: { name: 'notices', description: 'Reports so many times', inputSchema: { type: 'object' } },
    run: ({ count }) => text(`${count} reports`),
  },
  hold: {
    tool: { name: 'hold', description: 'Never answers', inputSchema: { type: 'object' } },
    run: () => undefined,
  },
};

/** A tool as servers in the field have them, about a kilobyte; every fifth with an output schema. */
const listed = (n) => ({
  name: `tool_${n}`,
  title: `Tool ${n}`,
  description: `Finds the orders of department ${n} that match, newest first, and says for each who asked for it and when it is due.`,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(
      ['customer', 'since', 'until', 'limit', 'status', 'region'].map((name) => [
        name,
        { type: name === 'limit' ? 'integer' : 'string', description: `Only those whose ${name} is this one` },
      ]),
    ),
    required: ['customer'],
    additionalProperties: false,
  },
  ...(n % 5 === 0 ? { outputSchema } : {}),
  annotations: { title: `Tool ${n}`, ...readOnly },
});

/** Every tool, with `more` beside those that work. */
export const toolsWith = (more) => [
  ...Object.values(working).map(({ tool }) => tool),
  ...Array.from({ length: more }, (_, n) => listed(n)),
];
