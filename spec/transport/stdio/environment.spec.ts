import { describe, expect, it } from '@jest/globals';
import { layEnvironment } from '../../../src/transport/stdio/environment.js';

describe('layEnvironment', () => {
  it('lays variables over those that are there and removes what is undefined', () => {
    const laid = layEnvironment(
      { PATH: '/bin', HOME: '/home', OLD: '1' },
      { HOME: '/other', NEW: '2', OLD: undefined },
      false,
    );
    expect(laid).toStrictEqual({ PATH: '/bin', HOME: '/other', NEW: '2' });
  });

  it('tells names apart by case', () => {
    expect(layEnvironment({ Path: 'a' }, { PATH: 'b' }, false)).toEqual({ Path: 'a', PATH: 'b' });
  });

  it('takes names that differ in case alone as one where that is the rule', () => {
    expect(layEnvironment({ Path: 'a', Temp: 't' }, { PATH: 'b' }, true)).toEqual({ PATH: 'b', Temp: 't' });
    expect(layEnvironment({ Path: 'a' }, { path: undefined }, true)).toStrictEqual({});
    expect(layEnvironment({}, { a: '1', A: '2' }, true)).toEqual({ A: '2' });
  });

  it('keeps a variable of an odd name out of the prototype', () => {
    const laid = layEnvironment({}, JSON.parse('{"__proto__":"x"}'), false);
    expect(Object.getPrototypeOf(laid)).toBe(Object.prototype);
    expect(Object.entries(laid)).toEqual([['__proto__', 'x']]);
  });
});
