import { describe, expect, it } from '@jest/globals';
import { type How, valueAt } from '../../src/rx/secret-values.js';

describe('the value behind a name', () => {
  it.each<readonly [How, string, string]>([
    ['word', 'a, b', 'a'],
    ['word', "a');", 'a'],
    ['word', '"', ''],
    ['line', 'a b\nc', 'a b'],
    ['"', 'a \\" b" c', 'a \\" b'],
    ["'", "a ' b", 'a '],
    ['\\"', 'a \\" b', 'a '],
    ['word', '|\n  a\n\n   b\n c', '|\n  a\n\n   b'],
    ['line', '>-\r\n\r\n a\r\nb', '>-\r\n\r\n a'],
    ['word', '| a', '|'],
    ['word', '|\na', '|'],
  ])('goes on, as a %s, no farther than it does: %j', (how, text, value) => {
    expect(valueAt(text, 0, how)).toBe(value);
    expect(valueAt(`x${text}`, 1, how)).toBe(value);
  });
});
