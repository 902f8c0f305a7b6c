import { describe, expect, it } from '@jest/globals';
import { InvalidMessageError } from '../../src/errors/index.js';
import { modernCodec } from '../../src/protocol/modern.js';

const clientInfo = { name: 'my-agent', version: '1.0.0' };
const capabilities = { elicitation: { form: {} } };
const codec = modernCodec('2026-07-28', { clientInfo, capabilities });

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'my-agent', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

describe('the modern codec', () => {
  it('knows its era and version', () => {
    expect([codec.era, codec.version]).toEqual(['modern', '2026-07-28']);
  });

  it('stamps every request with version, identity and capabilities, one without params as well', () => {
    expect(codec.encode({ name: 'add' }, {})).toEqual({ name: 'add', _meta: envelope });
    expect(codec.encode(undefined, {})).toEqual({ _meta: envelope });
  });

  it('declares its capabilities even where it has none', () => {
    const bare = modernCodec('2026-07-28', { clientInfo, capabilities: {} });
    expect(bare.encode(undefined, {})).toEqual({
      _meta: { ...envelope, 'io.modelcontextprotocol/clientCapabilities': {} },
    });
  });

  it.each<[string | number]>([[0], ['t']])('adds the progress token %j, and the log level', (progressToken) => {
    expect(codec.encode(undefined, { progressToken, logLevel: 'debug' })).toEqual({
      _meta: { ...envelope, progressToken, 'io.modelcontextprotocol/logLevel': 'debug' },
    });
    expect(codec.encode(undefined, { logLevel: 'error' })).toStrictEqual({
      _meta: { ...envelope, 'io.modelcontextprotocol/logLevel': 'error' },
    });
    expect(codec.encode(undefined, { progressToken })).toStrictEqual({ _meta: { ...envelope, progressToken } });
  });

  it("adds the caller's own keys, which never override the protocol's", () => {
    const meta = {
      traceparent: 'x',
      'io.modelcontextprotocol/protocolVersion': 'forged',
      progressToken: 'forged',
    };
    expect(codec.encode(undefined, { meta, progressToken: 1 })).toEqual({
      _meta: { traceparent: 'x', ...envelope, progressToken: 1 },
    });
    expect(codec.encode(undefined, { meta: { traceparent: 'x' } })).toStrictEqual({
      _meta: { traceparent: 'x', ...envelope },
    });
  });

  it('changes nothing it is given', () => {
    const params = Object.freeze({ name: 'add' });
    codec.encode(params, { progressToken: 1, meta: Object.freeze({ traceparent: 'x' }) });
    expect(params).toEqual({ name: 'add' });
  });

  it('takes a result for what it says it is', () => {
    const complete = { resultType: 'complete', tools: [] };
    const asking = { resultType: 'input_required', inputRequests: {} };
    expect(codec.decode('tools/list', 1, complete)).toBe(complete);
    expect(codec.decode('tools/call', 1, asking)).toBe(asking);
  });

  it('takes a result that does not say what it is for complete', () => {
    expect(codec.decode('tools/list', 1, { tools: [] })).toEqual({ resultType: 'complete', tools: [] });
  });

  it.each(['tools/call', 'prompts/get', 'resources/read'])('lets %s ask for input', (method) => {
    expect(codec.decode(method, 1, { resultType: 'input_required' })).toEqual({ resultType: 'input_required' });
  });

  it.each(['tools/list', 'server/discover', 'completion/complete'])('lets %s ask for nothing', (method) => {
    expect(() => codec.decode(method, 1, { resultType: 'input_required' })).toThrow(InvalidMessageError);
  });

  it.each([
    [{ resultType: 'task' }, 'a result of type "task"'],
    [{ resultType: '' }, 'a result of type ""'],
    [{ resultType: 7 }, 'the resultType is not a string'],
    [{ resultType: null }, 'the resultType is not a string'],
    [null, 'the result is not an object'],
    [[], 'the result is not an object'],
    ['text', 'the result is not an object'],
    [undefined, 'the result is not an object'],
  ])('allows no other result: %j', (raw, reason) => {
    const decode = (): unknown => codec.decode('tools/call', 3, raw);
    expect(decode).toThrow(InvalidMessageError);
    expect(decode).toThrow(new InvalidMessageError('tools/call', 3, reason));
  });
});
