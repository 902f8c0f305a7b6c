import { describe, expect, it } from '@jest/globals';
import { OptionError } from '../../../src/errors/index.js';
import { encodeLine } from '../../../src/transport/framing/index.js';

describe('encodeLine', () => {
  it('writes one message as one line', () => {
    const line = encodeLine({ jsonrpc: '2.0', id: 0, method: 'tools/call', params: { name: 'a\nb\u2028\r' } });
    expect(line).toBe('{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"a\\nb\u2028\\r"}}\n');
  });

  it('refuses what JSON cannot say with an OptionError', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(() => encodeLine({ jsonrpc: '2.0', method: 'a', params: cycle })).toThrow(OptionError);
    expect(() => encodeLine({ jsonrpc: '2.0', method: 'a', params: { big: 1n } })).toThrow(/params.*BigInt/);
  });
});
