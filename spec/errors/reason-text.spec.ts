import { describe, expect, it } from '@jest/globals';
import { messageOf, reasonText } from '../../src/errors/index.js';

describe('reasonText', () => {
  it.each([
    [new Error('boom'), 'Error: boom'],
    ['text', 'text'],
    [undefined, 'undefined'],
    [Object.create(null), 'something that cannot be written out'],
    [
      {
        toString: () => {
          throw new Error('no');
        },
      },
      'something that cannot be written out',
    ],
  ])('of %p is %j', (reason, text) => {
    expect(reasonText(reason)).toBe(text);
  });
});

describe('messageOf', () => {
  it.each([
    [new TypeError('boom'), 'boom'],
    ['text', 'text'],
    [Object.create(null), 'something that cannot be written out'],
  ])('of %p is %j', (reason, text) => {
    expect(messageOf(reason)).toBe(text);
  });
});
