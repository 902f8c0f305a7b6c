import { describe, expect, it } from '@jest/globals';
import type { FrameRecord } from './record.js';
import { tally } from './tally.js';
import type { Attribution } from './wire.js';

const legacy: Attribution = { era: 'legacy', revision: '2025-11-25' };

const recordOf = (frame: object, count = 1, attribution = legacy, via = 'MemoryTransport'): FrameRecord => ({
  spec: 'a.spec.ts',
  via,
  attribution,
  frame: { jsonrpc: '2.0', ...frame },
  count,
});

describe('tally', () => {
  it('adds up the frames by method, era and revision', () => {
    const { table, invalid } = tally([
      recordOf({ id: 1, method: 'tools/list' }, 2),
      recordOf({ id: 1, method: 'tools/list', params: { cursor: 'a' } }, 3),
      recordOf({ id: 1, method: 'tools/list' }, 1, { era: 'legacy', revision: '2025-03-26' }),
      recordOf({ id: 1, method: 'ping' }, 10),
      recordOf({ id: 1, result: {} }, 1, { ...legacy, answers: 'ping' }),
      recordOf({ id: 1, error: { code: -32601, message: 'm' } }, 1),
    ]);
    expect(invalid).toEqual([]);
    expect(table.split('\n')).toEqual([
      'method          era/revision       count',
      'error of ?      legacy/2025-11-25      1',
      'ping            legacy/2025-11-25     10',
      'result of ping  legacy/2025-11-25      1',
      'tools/list      legacy/2025-03-26      1',
      'tools/list      legacy/2025-11-25      5',
    ]);
  });

  it('shows the beginning of a method without end', () => {
    const { table } = tally([
      recordOf({ id: 1, error: { code: -32601, message: 'm' } }, 1, { ...legacy, answers: 'x'.repeat(9_000) }),
    ]);
    expect(table.split('\n').map((line) => line.length)).toEqual([86, 86]);
    expect(table).toContain(`error of ${'x'.repeat(50)}…  legacy`);
  });

  it('says what is invalid, why, and which spec wrote it', () => {
    const { invalid } = tally([
      recordOf({ id: 1, method: 'tools/list', params: { page: 1 } }),
      recordOf({ id: 1, method: 'ping' }),
    ]);
    expect(invalid).toHaveLength(1);
    expect(invalid[0]).toContain('tools/list (legacy/2025-11-25, MemoryTransport, a.spec.ts)');
    expect(invalid[0]).toContain('frame.params.page is not in the schema');
    expect(invalid[0]).toContain('{"page":1}');
  });

  it('shows twenty invalid frames and counts the rest', () => {
    const { invalid } = tally(Array.from({ length: 25 }, (_, at) => recordOf({ id: 1, method: `no/${at}` })));
    expect(invalid).toHaveLength(21);
    expect(invalid[20]).toBe('and 5 more');
  });

  it('names the methods, the eras and the transports that were never written', () => {
    const { missing } = tally([
      recordOf({ id: 1, method: 'ping' }),
      recordOf({ id: 1, method: 'tools/list' }, 1, legacy, 'StdioTransport'),
    ]);
    expect(missing).toEqual([
      'server/discover in the modern era',
      'tools/list in the modern era',
      'tools/call in the modern era',
      'resources/list in the modern era',
      'resources/templates/list in the modern era',
      'resources/read in the modern era',
      'prompts/list in the modern era',
      'prompts/get in the modern era',
      'completion/complete in the modern era',
      'notifications/cancelled in the modern era',
      'initialize in the legacy era',
      'notifications/initialized in the legacy era',
      'logging/setLevel in the legacy era',
      'tools/call in the legacy era',
      'resources/list in the legacy era',
      'resources/templates/list in the legacy era',
      'resources/read in the legacy era',
      'prompts/list in the legacy era',
      'prompts/get in the legacy era',
      'completion/complete in the legacy era',
      'notifications/cancelled in the legacy era',
      'any frame through ScriptedTransport',
    ]);
  });
});
