import { describe, expect, it } from '@jest/globals';
import { UnsupportedFeatureError } from '../../src/errors/index.js';
import { agreementOf } from '../../src/protocol/agreement.js';
import { type Capability, declares, requireCapability } from '../../src/protocol/index.js';
import { legacyCodec } from '../../src/protocol/legacy.js';

const ALL: readonly Capability[] = ['tools', 'prompts', 'resources', 'completions', 'logging'];

const agreed = (capabilities: object, version = '2025-11-25') =>
  agreementOf(legacyCodec(version), { info: undefined, capabilities, instructions: undefined }, []);

describe('declares', () => {
  it.each(ALL)('is true of %s where the server declared it, and of nothing else', (capability) => {
    const agreement = agreed({ [capability]: {} });
    expect(ALL.filter((one) => declares(agreement, one))).toEqual([capability]);
  });

  it('is true of everything where the server has had no occasion to declare anything', () => {
    const agreement = agreementOf(legacyCodec('2025-11-25'), undefined, []);
    expect(ALL.filter((one) => declares(agreement, one))).toEqual(ALL);
  });

  it('is true of completions in 2024-11-05, which has completions but no such capability', () => {
    expect(declares(agreed({}, '2024-11-05'), 'completions')).toBe(true);
    expect(declares(agreed({}, '2024-11-05'), 'tools')).toBe(false);
    expect(declares(agreed({}, '2025-03-26'), 'completions')).toBe(false);
  });
});

describe('requireCapability', () => {
  it('throws a typed error that names method and capability, where it is not declared', () => {
    const check = (): void => {
      requireCapability(agreed({ tools: {} }), 'prompts', 'prompts/get');
    };
    expect(check).toThrow(UnsupportedFeatureError);
    expect(check).toThrow('prompts/get: it declared no prompts capability');
  });

  it('lets pass what is declared', () => {
    requireCapability(agreed({ prompts: {} }), 'prompts', 'prompts/get');
    expect(declares(agreed({ prompts: {} }), 'prompts')).toBe(true);
  });
});
