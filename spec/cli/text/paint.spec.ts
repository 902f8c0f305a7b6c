import { describe, expect, it } from '@jest/globals';
import { bold, plain, red, render } from '../../../src/cli/text/paint.js';

describe('render', () => {
  it('paints what is styled, with colour, and nothing without', () => {
    expect(render(['a ', red('b'), ' ', bold('c')], true)).toBe('a \u001b[31mb\u001b[39m \u001b[1mc\u001b[22m');
    expect(render(['a ', red('b'), ' ', bold('c')], false)).toBe('a b c');
  });

  it('cleans each piece, so that none can paint by itself', () => {
    expect(render(['\u001b[2Ja', red('\u001b[0mb')], true)).toBe('a\u001b[31mb\u001b[39m');
  });

  it('paints nothing where there is nothing left', () => {
    expect(render([red('\u0007')], true)).toBe('');
  });
});

describe('plain', () => {
  it('is the text alone', () => {
    expect([plain('a'), plain(red('b'))]).toEqual(['a', 'b']);
  });
});
