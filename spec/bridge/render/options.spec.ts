import { describe, expect, it } from '@jest/globals';
import { RENDER_CHECKS, renderingOf } from '../../../src/bridge/render/options.js';
import { checkOptions } from '../../../src/jsonrpc/checks.js';
import { OptionError } from '../../../src/index.js';
import { thrownBy } from '../../support/client/watch.js';

const refused = (options: unknown): unknown => {
  const thrown = thrownBy(() => {
    checkOptions(options, RENDER_CHECKS, 'options');
  });
  expect(thrown).toBeInstanceOf(OptionError);
  return (thrown as OptionError).option;
};

describe('the options of rendering', () => {
  it.each([
    [{ media: 'all' }, 'media'],
    [{ budget: 5_000 }, 'budget'],
    [{ budget: { perTurn: 1 } }, 'budget.perTurn'],
    [{ budget: { constructor: 1 } }, 'budget.constructor'],
    [{ budget: { perCall: 0 } }, 'budget.perCall'],
    [{ budget: { perBatch: 1.5 } }, 'budget.perBatch'],
    [{ budget: { perBatch: '100' } }, 'budget.perBatch'],
    [{ budget: { tools: [1] } }, 'budget.tools'],
    [{ budget: { tools: { search: Number.NaN } } }, 'budget.tools.search'],
    [{ countTokens: 4 }, 'countTokens'],
    [{ spill: '/tmp' }, 'spill'],
    [{ spillTimeoutMs: 0 }, 'spillTimeoutMs'],
    [{ spil: () => undefined }, 'spil'],
  ])('%j is an OptionError that names %s', (options, culprit) => {
    expect(refused(options)).toBe(culprit);
  });

  it('say what to give instead', () => {
    const message = (budget: unknown): unknown =>
      (
        thrownBy(() => {
          checkOptions({ budget }, RENDER_CHECKS, 'options');
        }) as OptionError
      ).message;
    expect(message({ perCall: 0 })).toContain('give a whole number of tokens, at least 1, or Infinity');
    expect(message({ tools: [1] })).toContain('give an object of a number of tokens for each tool');
  });

  it('may be either kind of media, and the least budget there is', () => {
    for (const media of ['name', 'parts']) {
      checkOptions({ media, budget: { perCall: 1, perBatch: 1, tools: { a: 1 } } }, RENDER_CHECKS, 'options');
    }
  });

  it('may be without limit, or left out one by one', () => {
    checkOptions(
      { media: undefined, budget: { perCall: Infinity, perBatch: undefined, tools: { a: undefined, b: Infinity } } },
      RENDER_CHECKS,
      'options',
    );
  });

  it('are names, without a limit, and five seconds to spill, by default', () => {
    const { media, perBatch, perCall, spill, spillTimeoutMs } = renderingOf();
    expect({ media, perBatch, perCall: perCall('any'), spill, spillTimeoutMs }).toEqual({
      ...{ media: 'name', perBatch: Infinity, perCall: Infinity, spill: undefined, spillTimeoutMs: 5_000 },
    });
  });

  it('limit a tool by its own number, and no tool by a name of the prototype', () => {
    const tools = JSON.parse('{ "__proto__": 7, "read": 9 }');
    const { perCall } = renderingOf({ budget: { perCall: 5, tools } });
    expect(['read', '__proto__', 'constructor', 'other'].map(perCall)).toEqual([9, 7, 5, 5]);
  });
});
