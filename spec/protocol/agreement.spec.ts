import { describe, expect, it } from '@jest/globals';
import { agreementOf } from '../../src/protocol/agreement.js';
import { legacyCodec } from '../../src/protocol/legacy.js';
import { modernCodec } from '../../src/protocol/modern.js';

const codec = modernCodec('2026-07-28', { clientInfo: { name: 'c', version: '1' }, capabilities: {} });

describe('agreementOf', () => {
  it('describes a server by its codec and by what it says of itself', () => {
    const self = {
      info: { name: 's', version: '2' },
      capabilities: { tools: {} },
      instructions: 'be kind',
    };
    expect(agreementOf(codec, self, ['2026-07-28', '2025-11-25'])).toEqual({
      codec,
      declared: true,
      server: {
        era: 'modern',
        protocolVersion: '2026-07-28',
        supportedVersions: ['2026-07-28', '2025-11-25'],
        info: { name: 's', version: '2' },
        capabilities: { tools: {} },
        instructions: 'be kind',
      },
    });
  });

  it('has declared nothing where the server said nothing of itself', () => {
    const { declared, server } = agreementOf(codec, undefined, []);
    expect(declared).toBe(false);
    expect(server).toEqual({
      era: 'modern',
      protocolVersion: '2026-07-28',
      supportedVersions: [],
      info: undefined,
      capabilities: {},
      instructions: undefined,
    });
  });

  it('takes era and version from the codec', () => {
    const { server } = agreementOf(legacyCodec('2025-03-26'), undefined, []);
    expect([server.era, server.protocolVersion]).toEqual(['legacy', '2025-03-26']);
  });
});
