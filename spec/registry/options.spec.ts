import { describe, expect, it } from '@jest/globals';
import {
  type AddOptions,
  OptionError,
  Registry,
  type RegistryDeclareOptions,
  type RegistryOptions,
} from '../../src/index.js';
import { thrownBy, watch } from '../support/client/watch.js';
import { handProvider } from '../support/providers/hand.js';

const optionOf = (thrown: unknown): string => {
  expect(thrown).toBeInstanceOf(OptionError);
  return (thrown as OptionError).option;
};

describe('an option that cannot be used', () => {
  it.each([
    ['separator', { separator: '' }],
    ['separator', { separator: 5 }],
    ['seperator', { seperator: '_' }],
    ['options', null],
  ])('of a registry is an OptionError that names %s: %j', (option, options) => {
    expect(optionOf(thrownBy(() => new Registry(options as RegistryOptions)))).toBe(option);
  });

  it.each([
    ['owned', { prefix: 'a', owned: 'yes' }],
    ['options', undefined],
    ['own', { prefix: 'a', own: true }],
    ['prefix', { owned: true }],
  ])('of an addition is an OptionError that names %s: %j', (option, options) => {
    const registry = new Registry();
    expect(optionOf(thrownBy(() => registry.add(handProvider([]), options as AddOptions)))).toBe(option);
    expect(registry.providers().size).toBe(0);
  });

  it.each([
    ['partial', { partial: 1 }],
    ['onMissing', { onMissing: 'log' }],
    ['format', { format: 'cohere' }],
    ['refresh', { refresh: 'yes' }],
    ['all', { all: true }],
  ])('of declarations is an OptionError that names %s: %j', (option, options) => {
    const seen = watch(new Registry().toolsForLlm(options as RegistryDeclareOptions));
    expect(optionOf(seen.error)).toBe(option);
  });

  it('of a batch is an OptionError, and nothing is called', () => {
    const provider = handProvider([]);
    const registry = new Registry().add(provider, { prefix: 'a' });
    const seen = watch(registry.executeToolCalls([{ id: '1', name: 'a_x' }], { toolConcurrency: 0 }));
    expect([optionOf(seen.error), provider.batches]).toEqual(['toolConcurrency', []]);
  });

  it('is a registry within itself', () => {
    const registry = new Registry();
    expect(optionOf(thrownBy(() => registry.add(registry, { prefix: 'a' })))).toBe('provider');
  });
});
