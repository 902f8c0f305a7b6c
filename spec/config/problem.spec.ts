import { describe, expect, it } from '@jest/globals';
import { Problems } from '../../src/config/problem.js';

describe('Problems', () => {
  it('keeps what was found in order, with what is true of all', () => {
    const problems = new Problems({ server: 'a' });
    problems.add('error', '/a/url', 'url: give a text');
    problems.add('error', '/a/env/X', 'the variable Y is not set', { variable: 'Y' });
    expect(problems.all).toEqual([
      { level: 'error', path: '/a/url', message: 'url: give a text', server: 'a' },
      { level: 'error', path: '/a/env/X', message: 'the variable Y is not set', server: 'a', variable: 'Y' },
    ]);
  });
});
