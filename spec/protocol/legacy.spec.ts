import { describe, expect, it } from '@jest/globals';
import { InvalidMessageError } from '../../src/errors/index.js';
import { legacyCodec } from '../../src/protocol/legacy.js';

const codec = legacyCodec('2025-06-18');

describe('the legacy codec', () => {
  it('knows its era and version', () => {
    expect([codec.era, codec.version]).toEqual(['legacy', '2025-06-18']);
  });

  it('sends params as they are, or none', () => {
    const params = { name: 'add', arguments: { a: 1 } };
    expect(codec.encode(params, {})).toBe(params);
    expect(codec.encode(undefined, {})).toBeUndefined();
  });

  it.each<[string | number]>([[0], [7], [''], ['t']])('puts the progress token %j into _meta', (progressToken) => {
    expect(codec.encode({ name: 'add' }, { progressToken })).toEqual({ name: 'add', _meta: { progressToken } });
    expect(codec.encode(undefined, { progressToken })).toEqual({ _meta: { progressToken } });
  });

  it("puts the caller's own keys into _meta", () => {
    const meta = { traceparent: '00-1-2-01', 'com.example/a': { b: 1 } };
    expect(codec.encode({ name: 'add' }, { meta })).toStrictEqual({ name: 'add', _meta: meta });
    expect(codec.encode(undefined, { meta, progressToken: 1 })).toEqual({ _meta: { ...meta, progressToken: 1 } });
  });

  it('says nothing of a log level, which is a modern stamp', () => {
    expect(codec.encode(undefined, { logLevel: 'debug' })).toBeUndefined();
  });

  it('changes nothing it is given', () => {
    const params = Object.freeze({ name: 'add' });
    const meta = Object.freeze({ traceparent: 'x' });
    codec.encode(params, { progressToken: 1, meta });
    expect([params, meta]).toEqual([{ name: 'add' }, { traceparent: 'x' }]);
  });

  it('takes every result for complete, whatever it says of itself', () => {
    expect(codec.decode('tools/call', 1, { content: [] })).toEqual({ content: [], resultType: 'complete' });
    expect(codec.decode('tools/call', 1, { resultType: 'input_required' })).toEqual({ resultType: 'complete' });
    expect(codec.decode('ping', 1, {})).toEqual({ resultType: 'complete' });
  });

  it('leaves the raw result as it was', () => {
    const raw = Object.freeze({ content: [] });
    codec.decode('tools/call', 1, raw);
    expect(raw).toEqual({ content: [] });
  });

  it.each([null, undefined, 'text', 7, true, [{}]])('allows no result that is no object: %j', (raw) => {
    const decode = (): unknown => codec.decode('tools/call', 3, raw);
    expect(decode).toThrow(new InvalidMessageError('tools/call', 3, 'the result is not an object'));
    expect(decode).toThrow(InvalidMessageError);
  });

  it('keeps a key that names the prototype an ordinary key', () => {
    const result = codec.decode('tools/call', 1, JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(result['polluted']).toBeUndefined();
  });
});
