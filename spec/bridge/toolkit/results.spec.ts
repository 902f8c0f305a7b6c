import { describe, expect, it } from '@jest/globals';
import { failure, readAnswer, structuredResult, thrown } from '../../../src/bridge/toolkit/results.js';

const content = (...blocks: object[]) => ({ result: { content: blocks } });
const text = (words: string) => ({ type: 'text', text: words });

describe('what a handler returned', () => {
  it.each<readonly [unknown, unknown]>([
    ['a', content(text('a'))],
    ['', content(text(''))],
    [undefined, content()],
    [null, content()],
    [7, content(text('7'))],
    [false, content(text('false'))],
    [7n, content(text('7'))],
    [[text('a')], content(text('a'))],
    [[], content()],
    [[text('a'), 'b'], { structured: [text('a'), 'b'] }],
    [[{ type: 'cat' }], { structured: [{ type: 'cat' }] }],
    [{ a: 1 }, { structured: { a: 1 } }],
    [{ content: 'a' }, { structured: { content: 'a' } }],
    [{ content: ['a'] }, { structured: { content: ['a'] } }],
    [{ content: [] }, content()],
    [
      { content: [{ type: 'hologram' }], isError: true },
      { result: { content: [{ type: 'hologram' }], isError: true } },
    ],
  ])('%p is %j', (value, answered) => {
    expect(readAnswer(value, false)).toEqual(answered);
  });

  it.each<readonly [unknown, unknown]>([
    ['a', { structured: 'a' }],
    [null, { structured: null }],
    [[text('a')], { structured: [text('a')] }],
    [undefined, content()],
    [{ content: [text('a')] }, content(text('a'))],
  ])('%p is %j where there is an output schema', (value, answered) => {
    expect(readAnswer(value, true)).toEqual(answered);
  });

  it('is no result where it is a function or a symbol', () => {
    expect(() => readAnswer(() => 1, false)).toThrow('a function');
    expect(() => readAnswer(Symbol('s'), false)).toThrow('a symbol');
  });
});

describe('a result that is made', () => {
  it('has the JSON of structured content as its text', () => {
    expect(structuredResult({ a: [1] })).toEqual({ content: [text('{"a":[1]}')], structuredContent: { a: [1] } });
  });

  it('of a failure says what failed', () => {
    expect(failure('why')).toEqual({ content: [text('why')], isError: true });
    expect(thrown(new TypeError('why'))).toEqual(failure('why'));
  });
});
