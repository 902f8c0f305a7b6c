import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { classify, type Inbound, isAnswer, isInvalid, isNotification, isRequest } from '../../src/jsonrpc/index.js';

const GUARDS = { isAnswer, isInvalid, isNotification, isRequest };

const kindsOf = (message: Inbound): string[] =>
  Object.entries(GUARDS)
    .filter(([, guard]) => guard(message))
    .map(([name]) => name);

describe('the guards', () => {
  it.each<[string, Inbound]>([
    ['isRequest', { jsonrpc: '2.0', id: 0, method: 'ping' }],
    ['isRequest', { jsonrpc: '2.0', id: '', method: 'ping' }],
    ['isNotification', { jsonrpc: '2.0', method: 'notifications/message' }],
    ['isAnswer', { jsonrpc: '2.0', id: 0, result: {} }],
    ['isAnswer', { jsonrpc: '2.0', id: 'a', error: { code: 0, message: '' } }],
    ['isAnswer', { jsonrpc: '2.0', error: { code: -32700, message: 'what?' } }],
    ['isInvalid', { invalid: 'not JSON', excerpt: 'hello' }],
    ['isInvalid', { invalid: 'too long', excerpt: '', id: 3 }],
  ])('%s, and no other, is true of %j', (name, message) => {
    expect(kindsOf(message)).toEqual([name]);
  });

  it('put every message under exactly one kind', () => {
    const part = fc.option(fc.oneof(fc.jsonValue(), fc.constant('x'), fc.constant(1)), { nil: undefined });
    const frame = fc.record({ id: part, method: part, params: part, result: part, error: part });
    fc.assert(
      fc.property(frame, (value) => {
        expect(kindsOf(classify(JSON.parse(JSON.stringify(value))))).toHaveLength(1);
      }),
    );
  });
});
