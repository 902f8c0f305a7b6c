import { describe, expect, it } from '@jest/globals';
import { readArgs, readPair } from '../../../src/cli/input/pairs.js';

const refused = (says: string) =>
  expect.objectContaining({ name: 'CommandError', exitCode: 2, message: expect.stringContaining(says) });

describe('readPair', () => {
  it.each([
    ['a=1', { name: 'a', text: '1', json: false }],
    ['a:=1', { name: 'a', text: '1', json: true }],
    ['a=', { name: 'a', text: '', json: false }],
    ['a=b=c', { name: 'a', text: 'b=c', json: false }],
    ['a=b:=c', { name: 'a', text: 'b:=c', json: false }],
    ['a=x\ny', { name: 'a', text: 'x\ny', json: false }],
    ['a b=c', { name: 'a b', text: 'c', json: false }],
  ])('reads %j', (word, pair) => {
    expect(readPair(word)).toEqual(pair);
  });

  it.each(['a', '=1', ''])('refuses %j', (word) => {
    expect(() => readPair(word)).toThrow(refused('is no argument'));
  });
});

describe('readArgs', () => {
  it('reads an object', () => {
    expect(readArgs('{"a": [1]}')).toEqual({ a: [1] });
  });

  it.each(['[1]', '1', 'null', '"a"'])('refuses %j, which is none', (text) => {
    expect(() => readArgs(text)).toThrow(refused('give an object'));
  });

  it('refuses what is no JSON', () => {
    expect(() => readArgs('{a: 1}')).toThrow(refused('is no JSON'));
  });
});
