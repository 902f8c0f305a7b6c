import fc from 'fast-check';

const METHODS = [
  ...['notifications/progress', 'notifications/message', 'notifications/cancelled', 'notifications/tools/list_changed'],
  ...['notifications/resources/updated', 'notifications/resources/list_changed', 'notifications/elicitation/complete'],
  ...['notifications/subscriptions/acknowledged', 'notifications/tasks/status', 'roots/list', 'sampling/createMessage'],
  ...['elicitation/create', 'ping', 'tools/list', '', '__proto__', 'constructor'],
];

/** Ids that are in flight, that were, that never were, and that cannot be. */
const id = fc.oneof(
  fc.integer({ min: 0, max: 12 }),
  fc.constantFrom('1', '2', 'token', '', null, true, 1.5, -1, 1e300),
  fc.jsonValue({ maxDepth: 1 }),
);

const params = fc.oneof(
  fc.record(
    {
      progressToken: fc.oneof(id, fc.constant('token')),
      progress: fc.oneof(fc.double(), fc.jsonValue()),
      total: fc.jsonValue({ maxDepth: 1 }),
      message: fc.jsonValue({ maxDepth: 1 }),
      level: fc.oneof(fc.constantFrom('info', 'emergency', 'nope'), fc.jsonValue({ maxDepth: 1 })),
      data: fc.jsonValue(),
      requestId: id,
      uri: fc.oneof(fc.webUrl(), fc.jsonValue({ maxDepth: 1 })),
      _meta: fc.oneof(fc.record({ 'io.modelcontextprotocol/subscriptionId': id }), fc.jsonValue()),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
);

const result = fc.oneof(
  fc.record(
    {
      resultType: fc.oneof(fc.constantFrom('complete', 'input_required'), fc.jsonValue({ maxDepth: 1 })),
      content: fc.jsonValue(),
      contents: fc.jsonValue(),
      tools: fc.jsonValue(),
      nextCursor: fc.oneof(fc.constant(''), fc.jsonValue({ maxDepth: 1 })),
      inputRequests: fc.jsonValue(),
      ttlMs: fc.oneof(fc.double(), fc.jsonValue({ maxDepth: 1 })),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
);

const message = fc.record(
  {
    jsonrpc: fc.oneof(
      { weight: 9, arbitrary: fc.constant('2.0') },
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
    ),
    id,
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...METHODS) },
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
    ),
    params,
    result,
    error: fc.oneof(
      fc.record({ code: fc.oneof(fc.integer(), fc.jsonValue()), message: fc.jsonValue(), data: fc.jsonValue() }),
      fc.jsonValue(),
    ),
    invalid: fc.constant('mine'),
  },
  { requiredKeys: [] },
);

/** What a server may put on one line: messages in every state, batches of them, JSON, and junk. */
export const frame: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: message.map((each) => JSON.stringify(each)) },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 4 }).map((each) => JSON.stringify(each)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);

/** One damage to a text. */
export type Mutation =
  | { readonly kind: 'cut' | 'erase' | 'double'; readonly from: number; readonly length: number }
  | { readonly kind: 'write'; readonly from: number; readonly text: string }
  | { readonly kind: 'value'; readonly from: number; readonly value: unknown };

const from = fc.double({ min: 0, max: 1, noNaN: true });

/** Damages to bytes, and to values of whatever stands there. */
export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constantFrom('cut', 'erase', 'double'), from, length: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ kind: fc.constant('write' as const), from, text: fc.string({ maxLength: 3 }) }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('value' as const),
      from,
      value: fc.oneof(id, fc.jsonValue({ maxDepth: 2 })),
    }),
  },
);

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

const placesOf = (value: unknown): readonly Place[] =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).flatMap((key) => [
        { holder: value as Record<string, unknown>, key },
        ...placesOf((value as Record<string, unknown>)[key]),
      ])
    : [];

/** A text after one damage. */
export const mutated = (text: string, how: Mutation): string => {
  const at = Math.floor(how.from * text.length);
  if ('length' in how) {
    if (how.kind === 'cut') return text.slice(0, at);
    return (
      text.slice(0, at + (how.kind === 'double' ? how.length : 0)) +
      text.slice(at + (how.kind === 'double' ? 0 : how.length))
    );
  }
  if (how.kind === 'write') return text.slice(0, at) + how.text + text.slice(at + how.text.length);
  try {
    const root: unknown = JSON.parse(text);
    const places = placesOf(root);
    const place = places[Math.min(places.length - 1, Math.floor(how.from * places.length))];
    if (place !== undefined) place.holder[place.key] = how.value;
    return JSON.stringify(root);
  } catch {
    return text;
  }
};
