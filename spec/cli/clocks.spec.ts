import { describe, expect, it } from '@jest/globals';
import { callBound, clocksOf } from '../../src/cli/clocks.js';
import { fakeContext, fakeIo } from '../support/cli/fake-io.js';

const SERVER = { server: { transport: 'stdio', command: 'x', timeoutMs: 5_000 } } as const;

describe('the clocks of a command', () => {
  it('are the client’s own where nothing was said, and otherwise bound an answer altogether', () => {
    expect(clocksOf(undefined)).toEqual({});
    expect(clocksOf(1_500)).toEqual({ requestTimeoutMs: 1_500, maxTotalMs: 1_500 });
    expect(clocksOf(0)).toEqual({ requestTimeoutMs: 0, maxTotalMs: 0 });
  });

  it('are those of the entry for a call, else of the variable, unless the user gave one', () => {
    const io = fakeIo({ env: { MCP_TOOL_TIMEOUT: '7000' } });
    expect(callBound(SERVER, fakeContext(io))).toEqual({ timeoutMs: 5_000, maxTotalMs: 5_000 });
    const plain = { server: { transport: 'stdio', command: 'x' } } as const;
    expect(callBound(plain, fakeContext(io))).toEqual({ timeoutMs: 7_000, maxTotalMs: 7_000 });
    expect(callBound(plain, fakeContext(fakeIo()))).toBeUndefined();
    expect(callBound(SERVER, fakeContext(io, { timeoutMs: 1_500 }))).toBeUndefined();
  });

  it('tell of a variable that is none', () => {
    const io = fakeIo({ env: { MCP_TOOL_TIMEOUT: 'soon' } });
    expect(callBound({ server: { transport: 'stdio', command: 'x' } }, fakeContext(io))).toBeUndefined();
    expect(io.err()).toContain('MCP_TOOL_TIMEOUT');
  });
});
