import { describe, expect, it } from '@jest/globals';
import { readPair } from '../../../src/cli/input/pairs.js';
import { promptArguments } from '../../../src/cli/input/prompt-arguments.js';

const ORDER = {
  name: 'order',
  arguments: [{ name: 'piece', required: true, description: 'what to build' }, { name: 'wood' }],
};

const typed = (...words: readonly string[]) => promptArguments(ORDER, words.map(readPair));

describe('promptArguments', () => {
  it('are texts, whatever they look like', () => {
    expect(typed('piece=5', 'wood:=true')).toEqual({ piece: '5', wood: 'true' });
    expect(promptArguments({ name: 'none' }, [])).toEqual({});
  });

  it.each([
    [['wood=oak'], 'needs the argument "piece"', 'piece (required): what to build'],
    [['peice=a'], 'has no argument "peice"; did you mean "piece"?', undefined],
    [['piece=a', 'piece=b'], 'piece is given twice', undefined],
  ])('are refused where they cannot be meant: %j', (words, message, remedy) => {
    expect(() => typed(...words)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining(message), remedy }),
    );
  });
});
