import { describe, expect, it } from '@jest/globals';
import { countsOf } from '../../bench/scenarios/calls.mjs';

describe('the calls of a sample', () => {
  it.each(['rx-mcp', 'floor', 'floor-rxjs', 'full-floor'])(
    'are as many for %s with 64 as with 4 096 in flight, so that both are settled',
    (client) => {
      expect(countsOf('stdio', 4_096, client).whole).toBe(204_800);
      expect(countsOf('stdio', 64, client)).toEqual(countsOf('stdio', 4_096, client));
    },
  );

  it.each(['official-2', 'official-1', 'ai-sdk'])('are fewer for %s, which takes many times as long', (client) => {
    expect(countsOf('stdio', 4_096, client).whole).toBe(40_960);
    expect(countsOf('stdio', 64, client).whole).toBe(40_960);
  });
});
