import { describe, expect, it } from '@jest/globals';
import { OptionError } from '../../src/errors/index.js';
import { checkMeta } from '../../src/protocol/index.js';
import { META } from '../../src/protocol/meta.js';

describe('checkMeta', () => {
  it.each([
    'traceparent',
    'tracestate',
    'baggage',
    'a',
    '7',
    'a.b_c-d',
    'com.example/key',
    'com.example/',
    'example/key',
    'com.example.mcp/key',
    'mcp/key',
    'x-1.y-2/z',
    'x.y/z',
  ])('lets the key %j pass', (key) => {
    expect(() => {
      checkMeta({ [key]: 1 });
    }).not.toThrow();
  });

  it.each([
    ['io.modelcontextprotocol/protocolVersion', 'reserved'],
    ['io.modelcontextprotocol/anything', 'reserved'],
    ['com.mcp.tools/x', 'reserved'],
    ['dev.mcp/', 'reserved'],
    ['progressToken', 'option progressToken'],
    ['', 'its name'],
    ['-a', 'its name'],
    ['a-', 'its name'],
    ['a b', 'its name'],
    ['ä', 'its name'],
    ['com.example/-a', 'its name'],
    ['com.example/a/b', 'its name'],
    ['/a', 'its prefix'],
    ['com..example/a', 'its prefix'],
    ['1com/a', 'its prefix'],
    ['com-/a', 'its prefix'],
    ['.com/a', 'its prefix'],
    ['__proto__', 'its name'],
  ])('refuses the key %j: %s', (key, reason) => {
    const check = (): void => {
      checkMeta(
        Object.fromEntries([
          ['ok', 1],
          [key, 1],
        ]),
      );
    };
    expect(check).toThrow(OptionError);
    expect(check).toThrow(reason);
    expect(check).toThrow(JSON.stringify(key));
  });

  it.each([null, undefined, 'text', 7, [], () => 1])('refuses what is no object: %p', (meta) => {
    expect(() => {
      checkMeta(meta);
    }).toThrow(new OptionError('meta', 'give an object of keys and values'));
  });

  it('lets an empty object pass', () => {
    expect(() => {
      checkMeta({});
    }).not.toThrow();
  });
});

it('META has the keys of the protocol', () => {
  expect(META).toEqual({
    protocolVersion: 'io.modelcontextprotocol/protocolVersion',
    clientInfo: 'io.modelcontextprotocol/clientInfo',
    clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
    logLevel: 'io.modelcontextprotocol/logLevel',
    serverInfo: 'io.modelcontextprotocol/serverInfo',
  });
});
