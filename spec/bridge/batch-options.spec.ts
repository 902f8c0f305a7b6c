import { describe, expect, it } from '@jest/globals';
import { checkBatchOptions } from '../../src/bridge/batch-options.js';
import { OptionError } from '../../src/index.js';
import { thrownBy } from '../support/client/watch.js';

describe('the options of a batch', () => {
  it('may be none, or any of those there are', () => {
    checkBatchOptions({});
    checkBatchOptions({ observe: undefined, signal: undefined, timeoutMs: undefined });
    checkBatchOptions({
      observe: 'events',
      onProgress: () => undefined,
      timeoutMs: 0,
      maxTotalMs: 0,
      resetOnProgress: false,
      logLevel: 'debug',
      meta: { 'example.com/trace': 1 },
      signal: new AbortController().signal,
      overlap: () => true,
      toolConcurrency: 1,
      media: 'parts',
      budget: { perCall: 1, perBatch: Infinity, tools: { a: 2 } },
      countTokens: () => 1,
      spill: () => undefined,
      spillTimeoutMs: 1,
    });
  });

  it.each([
    ['observe', 'event'],
    ['onProgress', 'log'],
    ['timeoutMs', -1],
    ['maxTotalMs', '5'],
    ['resetOnProgress', 1],
    ['logLevel', 'loud'],
    ['meta', []],
    ['meta', { progressToken: 1 }],
    ['meta', { 'io.modelcontextprotocol/mine': 1 }],
    ['signal', {}],
    ['signal', 'now'],
    ['overlap', 'always'],
    ['toolConcurrency', 0],
    ['toolConcurrency', 1.5],
    ['media', 'all'],
    ['budget', 5],
    ['countTokens', 4],
    ['spill', 'file'],
    ['spillTimeoutMs', 0],
    ['progressToken', 1],
    ['concurrency', 2],
  ])('that cannot be used are refused by name: %s', (name, value) => {
    const reason = thrownBy(() => checkBatchOptions({ [name]: value }));
    expect(reason).toBeInstanceOf(OptionError);
    expect(reason).toHaveProperty('option', name);
  });

  it.each([[null], [5], ['events'], [[]]])('are an object, and not %j', (options) => {
    expect(thrownBy(() => checkBatchOptions(options))).toMatchObject({ name: 'OptionError', option: 'options' });
  });
});
