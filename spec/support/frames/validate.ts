import * as core from '@modelcontextprotocol/core';
import { z } from 'zod';
import { LATEST_LEGACY, VERSION_KEY, type Attribution } from './wire.js';

// The published schemas (`@modelcontextprotocol/core`) are one set for all revisions. What a revision has that
// the others lack is in this file: which methods, which parameters, and what goes with a modern request.

interface Method {
  readonly schema: z.ZodType;
  /** The eras it exists in. */
  readonly era: 'modern' | 'legacy' | 'both';
  /** Parameters that only came with a legacy revision. */
  readonly since?: Readonly<Record<string, string>> | undefined;
  /** True: a modern server may ask for input before it answers, so a retry carries the answers. */
  readonly rounds?: boolean | undefined;
}

const REQUESTS: Readonly<Record<string, Method>> = {
  initialize: { schema: core.InitializeRequestSchema, era: 'legacy' },
  ping: { schema: core.PingRequestSchema, era: 'legacy' },
  'logging/setLevel': { schema: core.SetLevelRequestSchema, era: 'legacy' },
  'resources/subscribe': { schema: core.SubscribeRequestSchema, era: 'legacy' },
  'resources/unsubscribe': { schema: core.UnsubscribeRequestSchema, era: 'legacy' },
  'server/discover': { schema: core.DiscoverRequestSchema, era: 'modern' },
  'subscriptions/listen': { schema: core.SubscriptionsListenRequestSchema, era: 'modern' },
  'tools/list': { schema: core.ListToolsRequestSchema, era: 'both' },
  'tools/call': { schema: core.CallToolRequestSchema, era: 'both', since: { task: '2025-11-25' }, rounds: true },
  'resources/list': { schema: core.ListResourcesRequestSchema, era: 'both' },
  'resources/templates/list': { schema: core.ListResourceTemplatesRequestSchema, era: 'both' },
  'resources/read': { schema: core.ReadResourceRequestSchema, era: 'both', rounds: true },
  'prompts/list': { schema: core.ListPromptsRequestSchema, era: 'both' },
  'prompts/get': { schema: core.GetPromptRequestSchema, era: 'both', rounds: true },
  'completion/complete': { schema: core.CompleteRequestSchema, era: 'both', since: { context: '2025-06-18' } },
};

const NOTIFICATIONS: Readonly<Record<string, Method>> = {
  'notifications/initialized': { schema: core.InitializedNotificationSchema, era: 'legacy' },
  'notifications/progress': { schema: core.ProgressNotificationSchema, era: 'legacy' },
  'notifications/roots/list_changed': { schema: core.RootsListChangedNotificationSchema, era: 'legacy' },
  'notifications/cancelled': { schema: core.CancelledNotificationSchema, era: 'both' },
};

const ELICITED = z.strictObject(core.ElicitResultSchema.shape);
const ROOTS = z.strictObject(core.ListRootsResultSchema.shape);
const SAMPLED = z.union([
  z.strictObject(core.CreateMessageResultSchema.shape),
  z.strictObject(core.CreateMessageResultWithToolsSchema.shape),
]);

const RESULTS: Readonly<Record<string, z.ZodType>> = {
  ping: core.EmptyResultSchema,
  'roots/list': ROOTS,
  'elicitation/create': ELICITED,
  'sampling/createMessage': SAMPLED,
};

const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', LATEST_LEGACY];

const RESERVED = 'io.modelcontextprotocol/';

// What a modern request says of its client. The schema asks only for the first two; this client always gives three.
const ENVELOPE = z.looseObject({
  [VERSION_KEY]: z.string(),
  'io.modelcontextprotocol/clientCapabilities': z.strictObject({
    ...core.ClientCapabilitiesSchema.omit({ tasks: true }).shape,
    roots: z.strictObject({}).optional(),
  }),
  'io.modelcontextprotocol/clientInfo': core.ImplementationSchema,
  'io.modelcontextprotocol/logLevel': core.LoggingLevelSchema.optional(),
});

const ROUND = z.object({
  inputResponses: z.record(z.string(), z.union([ELICITED, ROOTS, SAMPLED])).optional(),
  requestState: z.string().optional(),
});

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the schema did not know: paths of `given` that are not in `kept`. */
const dropped = (given: unknown, kept: unknown, path: string): readonly string[] => {
  if (Array.isArray(given) && Array.isArray(kept)) {
    return given.flatMap((item, at) => dropped(item, kept[at], `${path}[${at}]`));
  }
  if (!isFields(given) || !isFields(kept)) return [];
  return Object.entries(given).flatMap(([key, value]) =>
    // A legal name, which zod leaves out of every record.
    key === '__proto__'
      ? []
      : Object.hasOwn(kept, key)
        ? dropped(value, kept[key], `${path}.${key}`)
        : [`${path}.${key} is not in the schema`],
  );
};

const against = (schema: z.ZodType, value: unknown, path: string): readonly string[] => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return dropped(value, parsed.data, path);
  return parsed.error.issues.map((issue) => `${[path, ...issue.path.map(String)].join('.')}: ${issue.message}`);
};

const modernParams = (method: Method, params: Fields, revision: string): readonly string[] => {
  const meta = isFields(params['_meta']) ? params['_meta'] : {};
  const { inputResponses, requestState } = params;
  return [
    // A revision that is newer than this file is read by the rules of the newest it knows.
    ...(LEGACY.includes(revision) ? [`${revision} is no modern revision`] : []),
    ...against(ENVELOPE, meta, 'params._meta'),
    ...Object.keys(meta)
      .filter((key) => key.startsWith(RESERVED) && !Object.hasOwn(ENVELOPE.shape, key))
      .map((key) => `params._meta.${key} is reserved and means nothing here`),
    ...(method.rounds === true ? against(ROUND, { inputResponses, requestState }, 'params') : []),
    ...('task' in params ? ['params.task is not in the schema'] : []),
  ];
};

const legacyParams = (method: Method, params: Fields, revision: string): readonly string[] => {
  const meta = isFields(params['_meta']) ? params['_meta'] : {};
  return [
    ...(LEGACY.includes(revision) ? [] : [`${revision} is no legacy revision`]),
    ...Object.keys(meta)
      .filter((key) => Object.hasOwn(ENVELOPE.shape, key))
      .map((key) => `params._meta.${key} belongs to the modern era`),
    ...Object.entries(method.since ?? {})
      .filter(([key, since]) => key in params && revision < since)
      .map(([key, since]) => `params.${key} came with ${since}`),
  ];
};

// The published schema of the request does not know the two; `modernParams` looks at them.
const withoutRounds = (frame: Fields, method: Method): unknown => {
  if (method.rounds !== true || !isFields(frame['params'])) return frame['params'];
  const { inputResponses: _responses, requestState: _state, ...params } = frame['params'];
  return params;
};

const request = (frame: Fields, name: string, { era, revision }: Attribution): readonly string[] => {
  const method = REQUESTS[name];
  if (method === undefined) return [`a client has no request ${name}`];
  if (method.era !== 'both' && method.era !== era) return [`${name} does not exist in the ${era} era`];
  const given = era === 'modern' ? withoutRounds(frame, method) : frame['params'];
  const params = isFields(frame['params']) ? frame['params'] : {};
  return [
    ...against(core.JSONRPCRequestSchema, frame, 'frame'),
    ...against(method.schema, given === undefined ? { method: name } : { method: name, params: given }, 'frame'),
    ...(era === 'modern' ? modernParams(method, params, revision) : legacyParams(method, params, revision)),
    ...(name === 'initialize' && !LEGACY.includes(String(params['protocolVersion']))
      ? ['params.protocolVersion is no legacy revision']
      : []),
  ];
};

const notification = (frame: Fields, name: string, { era, revision }: Attribution): readonly string[] => {
  const method = NOTIFICATIONS[name];
  if (method === undefined) return [`a client has no notification ${name}`];
  if (method.era !== 'both' && method.era !== era) return [`${name} does not exist in the ${era} era`];
  const { jsonrpc: _, ...body } = frame;
  const params = isFields(frame['params']) ? frame['params'] : {};
  return [
    ...against(core.JSONRPCNotificationSchema, frame, 'frame'),
    ...against(method.schema, body, 'frame'),
    ...(era === 'legacy' ? legacyParams(method, params, revision) : []),
    // Optional in one revision, for tasks, which this client does not speak.
    ...(name === 'notifications/cancelled' && !('requestId' in params) ? ['params.requestId is missing'] : []),
  ];
};

const answer = (frame: Fields, { era, answers }: Attribution): readonly string[] => {
  if (era === 'modern') return ['a modern client writes no answers'];
  if (!('id' in frame)) return ['an answer needs the id of its request'];
  if ('error' in frame) return against(core.JSONRPCErrorResponseSchema, frame, 'frame');
  const schema = answers === undefined ? z.union(Object.values(RESULTS)) : RESULTS[answers];
  if (schema === undefined) return [`a client has no result for ${String(answers)}`];
  return [
    ...against(core.JSONRPCResultResponseSchema, frame, 'frame'),
    ...against(schema, frame['result'], 'frame.result'),
    ...(isFields(frame['result']) && 'resultType' in frame['result']
      ? ['frame.result.resultType belongs to the modern era']
      : []),
  ];
};

/** Everything that is wrong with one frame of a client under its revision; empty when it is valid. */
export const problemsOf = (frame: unknown, attribution: Attribution): readonly string[] => {
  if (!isFields(frame)) return ['a frame is one object'];
  if (attribution.era === 'unknown') {
    return [
      'a bare frame on a wire without a handshake; if a spec wrote it by hand, see recorder.ts for how to mark it',
    ];
  }
  if (!('method' in frame)) return [...new Set(answer(frame, attribution))];
  const name = String(frame['method']);
  return [...new Set('id' in frame ? request(frame, name, attribution) : notification(frame, name, attribution))];
};
