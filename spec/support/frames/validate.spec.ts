import { describe, expect, it } from '@jest/globals';
import { problemsOf } from './validate.js';
import type { Attribution } from './wire.js';

const modern: Attribution = { era: 'modern', revision: '2026-07-28' };
const legacy = (revision = '2025-11-25', answers?: string): Attribution => ({ era: 'legacy', revision, answers });

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'rx-mcp', version: '0.1.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const request = (method: string, params?: object, more?: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(params === undefined ? {} : { params }),
  ...more,
});
const stamped = (method: string, params: object = {}, meta: object = {}) =>
  request(method, { ...params, _meta: { ...envelope, ...meta } });
const notice = (method: string, params?: object) => ({
  jsonrpc: '2.0',
  method,
  ...(params === undefined ? {} : { params }),
});
const result = (value: unknown) => ({ jsonrpc: '2.0', id: 1, result: value });

const ref = { type: 'ref/prompt', name: 'p' };
const argument = { name: 'a', value: 'v' };
const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: { form: {}, url: {} }, roots: { listChanged: true }, sampling: {} },
  clientInfo: { name: 'a', version: '1', title: 'A', websiteUrl: 'https://a.example', icons: [{ src: 'data:,' }] },
};
const form = { action: 'accept', content: { name: 'x', count: 1, tags: ['a'] } };
const sampled = { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm', stopReason: 'endTurn' };

const VALID: readonly (readonly [string, unknown, Attribution])[] = [
  ['a probe', stamped('server/discover'), modern],
  ['a modern list', stamped('tools/list', { cursor: '' }), modern],
  ['a modern call', stamped('tools/call', { name: 't', arguments: { a: { b: [1] } } }, { progressToken: 7 }), modern],
  ['a log level', stamped('tools/call', { name: 't' }, { 'io.modelcontextprotocol/logLevel': 'debug' }), modern],
  [
    'a key of the caller in _meta',
    stamped('tools/list', {}, { traceparent: '00-1-2-01', 'com.example/k': {} }),
    modern,
  ],
  ['a retry', stamped('tools/call', { name: 't', requestState: 's', inputResponses: { q: form } }), modern],
  ['a retry of a read', stamped('resources/read', { uri: 'a:b', inputResponses: { q: { roots: [] } } }), modern],
  [
    'a modern completion',
    stamped('completion/complete', { ref, argument, context: { arguments: { x: 'y' } } }),
    modern,
  ],
  ['a modern cancel notice', notice('notifications/cancelled', { requestId: 1, reason: 'r' }), modern],
  ['initialize', request('initialize', initialize), legacy()],
  ['the end of the handshake', notice('notifications/initialized'), legacy()],
  ['a bare ping', request('ping'), legacy('2024-11-05')],
  ['a log level for a server', request('logging/setLevel', { level: 'error' }), legacy('2024-11-05')],
  ['a legacy call', request('tools/call', { name: 't', _meta: { progressToken: 't' } }), legacy('2024-11-05')],
  ['a completion with context', request('completion/complete', { ref, argument, context: {} }), legacy('2025-06-18')],
  ['a legacy cancel notice', notice('notifications/cancelled', { requestId: 'x' }), legacy()],
  ['an answer to a ping', result({}), legacy('2025-11-25', 'ping')],
  ['roots', result({ roots: [{ uri: 'file:///a', name: 'a' }] }), legacy('2025-11-25', 'roots/list')],
  ['a filled-in form', result(form), legacy('2025-11-25', 'elicitation/create')],
  ['a sample', result(sampled), legacy('2025-11-25', 'sampling/createMessage')],
  ['an answer whose request was not seen', result(form), legacy()],
  ['a refusal', { jsonrpc: '2.0', id: 'a', error: { code: -32601, message: 'm', data: 1 } }, legacy()],
];

const INVALID: readonly (readonly [string, unknown, Attribution, string])[] = [
  ['an unknown root key', request('ping', undefined, { extra: 1 }), legacy(), 'extra'],
  ['no jsonrpc', { id: 1, method: 'ping' }, legacy(), 'frame.jsonrpc'],
  ['an id of null', { ...request('ping'), id: null }, legacy(), 'frame.id'],
  ['an id that is no integer', { ...request('ping'), id: 1.5 }, legacy(), 'frame.id'],
  ['an unknown parameter', request('tools/list', { page: 1 }), legacy(), 'frame.params.page'],
  ['an unknown parameter of a modern call', stamped('tools/call', { name: 't', x: 1 }), modern, 'frame.params.x'],
  ['a parameter of the wrong type', request('tools/call', { name: 1 }), legacy(), 'frame.params.name'],
  ['a missing parameter', request('tools/call', {}), legacy(), 'frame.params.name'],
  ['an array of params', { ...request('ping'), params: [] }, legacy(), 'frame.params'],
  [
    'a prompt argument that is no text',
    request('prompts/get', { name: 'p', arguments: { a: 1 } }),
    legacy(),
    'arguments.a',
  ],
  [
    'an unknown key of a client',
    request('initialize', { ...initialize, clientInfo: { name: 'a', version: '1', x: 1 } }),
    legacy(),
    'clientInfo.x',
  ],
  [
    'an unknown capability',
    request('initialize', { ...initialize, capabilities: { tools: {} } }),
    legacy(),
    'capabilities.tools',
  ],
  [
    'a modern version offered by initialize',
    request('initialize', { ...initialize, protocolVersion: '2026-07-28' }),
    legacy('2026-07-28'),
    'no legacy revision',
  ],
  ['a method of no revision', request('tools/run'), legacy(), 'tools/run'],
  ['a method of a server', request('sampling/createMessage', {}), legacy(), 'sampling/createMessage'],
  ['a request written as a notification', notice('tools/list'), legacy(), 'tools/list'],
  ['a modern method in the legacy era', request('server/discover'), legacy(), 'legacy era'],
  ['a ping in the modern era', stamped('ping'), modern, 'modern era'],
  ['a handshake in the modern era', notice('notifications/initialized'), modern, 'modern era'],
  [
    'progress in the modern era',
    notice('notifications/progress', { progressToken: 1, progress: 1 }),
    modern,
    'modern era',
  ],
  ['a modern request without _meta', request('tools/list'), modern, 'protocolVersion'],
  [
    'a modern request without capabilities',
    stamped('tools/list', {}, { 'io.modelcontextprotocol/clientCapabilities': undefined }),
    modern,
    'clientCapabilities',
  ],
  [
    'a modern request without client',
    stamped('tools/list', {}, { 'io.modelcontextprotocol/clientInfo': undefined }),
    modern,
    'clientInfo',
  ],
  [
    'capabilities of the wrong era',
    stamped('tools/list', {}, { 'io.modelcontextprotocol/clientCapabilities': { roots: { listChanged: true } } }),
    modern,
    'listChanged',
  ],
  [
    'tasks among modern capabilities',
    stamped('tools/list', {}, { 'io.modelcontextprotocol/clientCapabilities': { tasks: {} } }),
    modern,
    'tasks',
  ],
  [
    'an unknown log level',
    stamped('tools/list', {}, { 'io.modelcontextprotocol/logLevel': 'loud' }),
    modern,
    'logLevel',
  ],
  [
    'a reserved key that means nothing',
    stamped('tools/list', {}, { 'io.modelcontextprotocol/x': 1 }),
    modern,
    'reserved',
  ],
  [
    'a progress token that is no text or integer',
    stamped('tools/list', {}, { progressToken: {} }),
    modern,
    'progressToken',
  ],
  ['a task in the modern era', stamped('tools/call', { name: 't', task: {} }), modern, 'task'],
  ['a retry of a list', stamped('tools/list', { requestState: 's' }), modern, 'requestState'],
  [
    'an answer that is none in a retry',
    stamped('tools/call', { name: 't', inputResponses: { q: { action: 'maybe' } } }),
    modern,
    'inputResponses',
  ],
  [
    'a legacy version on a modern request',
    stamped('tools/list'),
    { era: 'modern', revision: '2025-11-25' },
    'no modern revision',
  ],
  ['a modern _meta in the legacy era', stamped('tools/list'), legacy(), 'belongs to the modern era'],
  ['a retry in the legacy era', request('tools/call', { name: 't', requestState: 's' }), legacy(), 'requestState'],
  [
    'context before it came',
    request('completion/complete', { ref, argument, context: {} }),
    legacy('2025-03-26'),
    'context',
  ],
  ['a task before it came', request('tools/call', { name: 't', task: {} }), legacy('2025-06-18'), 'task'],
  ['a revision nobody published', request('ping'), legacy('2025-01-01'), 'no legacy revision'],
  ['a cancel notice for nothing', notice('notifications/cancelled', { reason: 'r' }), legacy(), 'requestId'],
  ['a cancel notice with more', notice('notifications/cancelled', { requestId: 1, why: 'r' }), modern, 'why'],
  ['an answer of a modern client', result({}), modern, 'no answers'],
  ['an answer without id', { jsonrpc: '2.0', result: {} }, legacy(), 'id'],
  ['a ping answered with something', result({ pong: true }), legacy('2025-11-25', 'ping'), 'pong'],
  ['an unknown key of a result', result({ roots: [], x: 1 }), legacy('2025-11-25', 'roots/list'), 'x'],
  ['a root that is no file', result({ roots: [{ uri: 'https://a' }] }), legacy('2025-11-25', 'roots/list'), 'uri'],
  ['a resultType in the legacy era', result({ resultType: 'complete' }), legacy('2025-11-25', 'ping'), 'resultType'],
  ['an answer to what a client never serves', result({}), legacy('2025-11-25', 'tools/list'), 'tools/list'],
  ['an error without code', { jsonrpc: '2.0', id: 1, error: { message: 'm' } }, legacy(), 'code'],
  ['both a result and an error', { ...result({}), error: { code: 1, message: 'm' } }, legacy(), 'result'],
  ['a batch', [request('ping')], legacy(), 'one object'],
  ['a bare frame without a handshake', request('tools/list'), { era: 'unknown', revision: '?' }, 'handshake'],
];

// What goes over a wire is JSON: a member that is undefined is not there.
const sent = (frame: unknown): unknown => JSON.parse(JSON.stringify(frame));

describe('problemsOf', () => {
  it.each(VALID)('finds nothing in %s', (_name, frame, attribution) => {
    expect(problemsOf(sent(frame), attribution)).toEqual([]);
  });

  it.each(INVALID)('finds %s', (_name, frame, attribution, part) => {
    expect(problemsOf(sent(frame), attribution).join('\n')).toContain(part);
  });
});
