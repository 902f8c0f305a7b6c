import { describe, expect, it } from '@jest/globals';
import { checkDeclareOptions, DECLARE_CHECKS, declared } from '../../src/bridge/declaring.js';
import { LLM_FORMATS } from '../../src/bridge/formats/index.js';
import type { DeclarationChange } from '../../src/index.js';
import { thrownBy } from '../support/client/watch.js';
import { tool } from './support/batches.js';

const ODD = [tool('fs.read'), { ...tool('b'), inputSchema: undefined } as never, tool('a')];

describe('declaring tools', () => {
  it('is for chat completions where no format is given', () => {
    expect(declared([tool('a')], {})).toEqual(declared([tool('a')], { format: 'openai' }));
    expect(declared([tool('a')], {})).toMatchObject([{ type: 'function', function: { name: 'a' } }]);
  });

  it.each(LLM_FORMATS)('gives the same bytes whatever the order of the tools, for %s', (format) => {
    const bytes = (tools: typeof ODD) => JSON.stringify(declared(tools, { format }));
    const forwards = bytes(ODD);
    expect(bytes([...ODD].reverse())).toBe(forwards);
    expect(forwards.indexOf('"a"')).toBeLessThan(forwards.indexOf('"b"'));
    expect(forwards).toContain('fs_read');
  });

  it('reports what was changed, once', () => {
    const reports: (readonly DeclarationChange[])[] = [];
    declared(ODD, { report: (changes) => reports.push(changes) });
    expect(reports).toHaveLength(1);
    expect(reports[0]).toEqual(
      expect.arrayContaining([expect.objectContaining({ tool: 'fs.read', path: '/name', action: 'changed' })]),
    );
  });

  it('reports nothing where nothing was changed', () => {
    let reported = false;
    declared([tool('a')], {
      report: () => {
        reported = true;
      },
    });
    expect(reported).toBe(false);
  });

  it('is not harmed by who hears the report', () => {
    const throwing = () => {
      throw new Error('a bug');
    };
    expect(declared(ODD, { report: throwing })).toEqual(declared(ODD, {}));
  });
});

describe('the options of declarations', () => {
  it('are those there are', () => {
    checkDeclareOptions({});
    checkDeclareOptions({
      format: 'gemini',
      report: () => undefined,
      refresh: true,
      timeoutMs: 0,
      signal: new AbortController().signal,
    });
    expect(Object.keys(DECLARE_CHECKS).sort()).toEqual(['format', 'refresh', 'report', 'signal', 'timeoutMs']);
  });

  it.each([
    ['format', 'cohere'],
    ['format', 'neutral'],
    ['report', 'yes'],
    ['refresh', 1],
    ['timeoutMs', -1],
    ['signal', {}],
    ['sorted', true],
  ])('that cannot be used are refused by name: %s', (name, value) => {
    expect(thrownBy(() => checkDeclareOptions({ [name]: value }))).toMatchObject({ name: 'OptionError', option: name });
  });

  it.each([[null], ['gemini'], [[]]])('are an object, and not %j', (options) => {
    expect(thrownBy(() => checkDeclareOptions(options))).toMatchObject({ name: 'OptionError', option: 'options' });
  });
});
