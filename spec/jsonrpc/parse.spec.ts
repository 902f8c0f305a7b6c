import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { classify, flatten, type Inbound, isAnswer, isInvalid, parseInbound } from '../../src/jsonrpc/index.js';

const one = (text: string): Inbound => {
  const messages = parseInbound(text);
  expect(messages).toHaveLength(1);
  return messages[0] as Inbound;
};

/** Values at every place of an envelope where something else may stand. */
const junk = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(undefined, null, 0, -0, '', 1.5, 1e300, NaN, 'ping', [], {}, { code: 1 }, { code: 1, message: 2 }),
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSet: true }),
);
const envelope = fc.record(
  { jsonrpc: junk, id: junk, method: junk, params: junk, result: junk, error: junk },
  { requiredKeys: [] },
);

describe('classify', () => {
  it.each([
    ['a request', { jsonrpc: '2.0', id: 1, method: 'ping' }],
    ['a request with params', { jsonrpc: '2.0', id: 'a', method: 'ping', params: { x: [1] } }],
    ['a request under the id 0', { jsonrpc: '2.0', id: 0, method: 'ping' }],
    ['a request under an empty id', { jsonrpc: '2.0', id: '', method: 'ping' }],
    ['a request under a negative id', { jsonrpc: '2.0', id: -7, method: 'ping' }],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/message', params: {} }],
    ['a result', { jsonrpc: '2.0', id: 1, result: {} }],
    ['a result that is null', { jsonrpc: '2.0', id: 1, result: null }],
    ['a result that is false', { jsonrpc: '2.0', id: 0, result: false }],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'no', data: { a: 1 } } }],
    ['an error with the code 0', { jsonrpc: '2.0', id: 1, error: { code: 0, message: '' } }],
    ['an error without an id', { jsonrpc: '2.0', error: { code: -32700, message: 'what?' } }],
    ['a message with members of its own', { jsonrpc: '2.0', id: 1, result: {}, trace: 'x' }],
    ['a message that does not name its version', { id: 1, result: {} }],
  ])('takes %s as it is', (_what, message) => {
    expect(classify(message)).toBe(message);
  });

  it.each([
    ['a text', 'hello', 'not a JSON-RPC message'],
    ['a number', 7, 'not a JSON-RPC message'],
    ['null', null, 'not a JSON-RPC message'],
    ['nothing', undefined, 'not a JSON-RPC message'],
    ['an array', [{ jsonrpc: '2.0', id: 1, result: {} }], 'not a JSON-RPC message'],
    ['neither a result nor an error', { jsonrpc: '2.0', id: 1 }, 'it carries neither a result nor an error'],
    ['an empty object', {}, 'it carries neither a result nor an error'],
    [
      'both a result and an error',
      { id: 1, result: {}, error: { code: 1, message: '' } },
      'it carries both a result and an error',
    ],
    ['a method that is no text', { id: 1, method: 7 }, 'the method is not a string'],
    ['params that are a list', { id: 1, method: 'ping', params: [1] }, 'the params are not an object'],
    ['params that are a text', { method: 'ping', params: 'x' }, 'the params are not an object'],
    ['a request under a list', { id: [1], method: 'ping' }, 'the id of a request is neither a string nor an integer'],
    ['a request under null', { id: null, method: 'ping' }, 'the id of a request is neither a string nor an integer'],
    ['a request under 1.5', { id: 1.5, method: 'ping' }, 'the id of a request is neither a string nor an integer'],
    ['a result under null', { id: null, result: {} }, 'the id of a result is neither a string nor an integer'],
    ['a result under 1.5', { id: 1.5, result: {} }, 'the id of a result is neither a string nor an integer'],
    ['a result without an id', { result: {} }, 'the id of a result is neither a string nor an integer'],
    ['an error that is a text', { id: 1, error: 'no' }, 'the error has no code'],
    ['an error that is null', { id: 1, error: null }, 'the error has no code'],
    ['an error whose code is a text', { id: 1, error: { code: '-32603', message: 'no' } }, 'the error has no code'],
  ])('calls %s invalid', (_what, value, reason) => {
    const message = classify(value);
    expect(isInvalid(message)).toBe(true);
    expect(message).toMatchObject({ invalid: reason });
  });

  it('keeps the id of what is an answer by its shape, so that the call under it can fail', () => {
    expect(classify({ id: 0 })).toMatchObject({ id: 0 });
    expect(classify({ id: 'a', result: {}, error: { code: 1, message: '' } })).toMatchObject({ id: 'a' });
    expect(classify({ id: 5, error: {} })).toMatchObject({ id: 5 });
  });

  it("keeps no id of a request, since it is the server's and might be that of a call of ours", () => {
    expect(classify({ id: 1, method: 'ping', params: [1] })).not.toHaveProperty('id');
  });

  it.each([null, 1.5, true, {}, [1], NaN])('takes an error under the id %j for one that belongs to nobody', (id) => {
    expect(classify({ jsonrpc: '2.0', id, error: { code: -32600, message: 'no' } })).toEqual({
      jsonrpc: '2.0',
      error: { code: -32600, message: 'no' },
    });
  });

  it('takes the null of a member that is not meant for nothing', () => {
    const result = { jsonrpc: '2.0', id: 1, result: { a: 1 }, error: null };
    expect(classify(result)).toEqual({ jsonrpc: '2.0', id: 1, result: { a: 1 } });
    const failure = { jsonrpc: '2.0', id: 1, result: null, error: { code: -32601, message: 'no' } };
    expect(classify(failure)).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } });
  });

  it('lets no peer mark a message of its own as none', () => {
    const message = classify({ jsonrpc: '2.0', method: 'notifications/x', invalid: 1 });
    expect(message).toEqual({ jsonrpc: '2.0', method: 'notifications/x' });
    expect(isInvalid(message)).toBe(false);
  });

  it('takes null params for none', () => {
    const message = classify({ jsonrpc: '2.0', id: 1, method: 'ping', params: null });
    expect(message).toEqual({ jsonrpc: '2.0', id: 1, method: 'ping' });
  });

  it.each([
    [undefined, 'no message'],
    [null, 'no message'],
    [7, '7'],
    [{ text: 'x' }, '{"text":"x"}'],
  ])('makes a text of the message of an error: %j', (given, text) => {
    const message = classify({ jsonrpc: '2.0', id: 1, error: { code: 1, message: given, data: 'kept' } });
    expect(message).toEqual({ jsonrpc: '2.0', id: 1, error: { code: 1, message: text, data: 'kept' } });
  });

  it('shows the beginning of what is invalid, and no more', () => {
    expect(classify('x'.repeat(1_000))).toMatchObject({ excerpt: 'x'.repeat(200) });
    expect(classify({ x: 'y'.repeat(1_000) })).toMatchObject({ excerpt: `{"x":"${'y'.repeat(194)}` });
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(classify(cycle)).toMatchObject({ excerpt: '[object Object]' });
  });

  it('takes a member without a value for none', () => {
    const answer = { jsonrpc: '2.0', id: 0, result: {} };
    expect('method' in classify({ ...answer, method: undefined })).toBe(false);
    expect(classify({ ...answer, method: undefined, error: undefined })).toEqual(answer);
  });

  it('never throws, and knows each message from what is none', () => {
    fc.assert(
      fc.property(fc.oneof(envelope, junk), (value) => {
        const message = classify(value);
        if (isInvalid(message)) {
          expect(typeof message.excerpt).toBe('string');
          expect(message.excerpt.length).toBeLessThanOrEqual(200);
        }
        if ('id' in message && message.id !== undefined) {
          expect(typeof message.id === 'string' || Number.isInteger(message.id)).toBe(true);
        }
        if (isAnswer(message) && 'error' in message) {
          expect(typeof message.error.code).toBe('number');
          expect(typeof message.error.message).toBe('string');
        }
        if ('method' in message) {
          expect(typeof message.method).toBe('string');
          expect(message.params === undefined || typeof message.params === 'object').toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('leaves what it is given as it was', () => {
    fc.assert(
      fc.property(fc.oneof(envelope, fc.jsonValue()), (value) => {
        const before = fc.stringify(value);
        classify(value);
        expect(fc.stringify(value)).toBe(before);
      }),
    );
  });
});

describe('parseInbound', () => {
  it.each(['', ' ', 'hello', '{', '{"a":1}}', 'undefined', 'NaN', '\u0000', '\ud800', "{'a':1}"])(
    'calls text that is no JSON invalid: %j',
    (text) => {
      expect(parseInbound(text)).toEqual([{ invalid: 'not JSON', excerpt: text }]);
    },
  );

  it('reads one message', () => {
    expect(parseInbound('{"jsonrpc":"2.0","id":0,"result":{"a":[1,null]}}')).toEqual([
      { jsonrpc: '2.0', id: 0, result: { a: [1, null] } },
    ]);
  });

  it('reads whatever JSON a peer could write, as what it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseInbound(text)).toEqual(flatten(JSON.parse(text)));
      }),
    );
  });

  it('never throws, whatever the text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json().chain((json) => fc.nat(json.length).map((cut) => json.slice(0, cut))),
      fc.json().map((json) => `log: ${json}`),
    );
    fc.assert(
      fc.property(text, (given) => {
        expect(parseInbound(given).length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('a batch', () => {
  it('is the messages in it, in order, each judged by itself', () => {
    const text = '[{"jsonrpc":"2.0","method":"a"},7,{"jsonrpc":"2.0","id":1,"result":{}},[],{"jsonrpc":"2.0","id":2}]';
    expect(parseInbound(text)).toEqual([
      { jsonrpc: '2.0', method: 'a' },
      { invalid: 'not a JSON-RPC message', excerpt: '7' },
      { jsonrpc: '2.0', id: 1, result: {} },
      { invalid: 'not a JSON-RPC message', excerpt: '[]' },
      { invalid: 'it carries neither a result nor an error', excerpt: '{"jsonrpc":"2.0","id":2}', id: 2 },
    ]);
  });

  it('of nothing is one invalid message', () => {
    expect(parseInbound('[]')).toEqual([{ invalid: 'an empty batch', excerpt: '[]' }]);
  });

  it('of more messages than anybody sends is one invalid message', () => {
    const fits = Array.from({ length: 10_000 }, () => ({ jsonrpc: '2.0', method: 'a' }));
    expect(flatten(fits)).toHaveLength(10_000);
    expect(flatten([...fits, 7])).toEqual([{ invalid: 'a batch of 10001 messages', excerpt: '[…]' }]);
  });
});

describe('keys that name a prototype', () => {
  afterEach(() => {
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  const evil = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';

  it.each([
    ['a result', `{"jsonrpc":"2.0","id":1,"result":{${evil}},${evil}}`],
    ['a request', `{"jsonrpc":"2.0","id":1,"method":"x","params":{${evil}},${evil}}`],
    ['a request whose params are dropped', `{"jsonrpc":"2.0","id":1,"method":"x","params":null,${evil}}`],
    ['an error', `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"","data":{${evil}},${evil}},${evil}}`],
    ['an error whose message is mended', `{"jsonrpc":"2.0","id":1,"error":{"code":1,${evil}},${evil}}`],
    ['an error without an id', `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"",${evil}},${evil}}`],
  ])('stay ordinary keys of %s', (_what, text) => {
    const message = one(text);
    expect(isInvalid(message)).toBe(false);
    expect(Object.getPrototypeOf(message)).toBe(Object.prototype);
    expect((message as { polluted?: unknown }).polluted).toBeUndefined();
    if ('error' in message) {
      expect(Object.getPrototypeOf(message.error)).toBe(Object.prototype);
      expect((message.error as { polluted?: unknown }).polluted).toBeUndefined();
    }
  });

  it('make no message of an object that has the members of one only by inheritance', () => {
    const message = one('{"__proto__":{"jsonrpc":"2.0","id":1,"result":{}}}');
    expect(message).toMatchObject({ invalid: 'it carries neither a result nor an error' });
  });

  it('name no member of a message: neither toString nor hasOwnProperty counts as one', () => {
    expect(one('{"id":1,"toString":1,"hasOwnProperty":2,"valueOf":3}')).toMatchObject({
      id: 1,
      invalid: expect.anything(),
    });
  });
});
