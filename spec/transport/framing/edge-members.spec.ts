import { describe, expect, it } from '@jest/globals';
import { membersFromEnd, membersFromStart } from '../../../src/transport/framing/edge-members.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the members at the start of an object', () => {
  it.each<readonly [string, readonly string[], unknown]>([
    ['{', [], undefined],
    ['{}', [], undefined],
    ['{"a":1,"id":7,"b":"cut', ['a', 'id', 'b'], 7],
    ['{"a":[1,{"id":5}],"id":"x","b":null}', ['a', 'id', 'b'], 'x'],
    [' \n{ "id" : {"n":1} , "a" : 2 }', ['id', 'a'], { n: 1 }],
    ['{"id":1,"id":2}', ['id', 'id'], 2],
    ['{"\\u0069d":3,', ['id'], 3],
    ['{"id":12', ['id'], undefined],
    ['{"id":1.2.3,"a":1}', ['id', 'a'], undefined],
  ])('are read as far as they go: %s', (text, names, id) => {
    expect(membersFromStart(bytes(text))).toEqual({ names, id });
  });

  it.each<readonly [string, readonly string[]]>([
    ['{"a"', []],
    ['{"a";1,"id":7}', []],
    ['{"\\x":1,"id":7}', []],
    ['{a":1,"id":7}', []],
    ['{"a":1,7:"id"}', ['a']],
    ['{"a":1;"id":7}', ['a']],
    ['{"a":,"id":7}', ['a']],
  ])('are read no further than where it is no JSON: %s', (text, names) => {
    expect(membersFromStart(bytes(text))).toEqual({ names, id: undefined });
  });

  it.each(['', '[{"id":7}]', '"id":7}', 'x{"id":7}'])('are none where no object begins: %s', (text) => {
    expect(membersFromStart(bytes(text))).toBeUndefined();
  });

  it('may stand behind a byte order mark, and behind nothing that only resembles one', () => {
    const object = bytes('{"id":7}');
    const behind = (...mark: number[]): unknown => membersFromStart(Uint8Array.from([...mark, ...object]))?.id;
    expect(behind(0xef, 0xbb, 0xbf)).toBe(7);
    for (const mark of [
      [0xee, 0xbb, 0xbf],
      [0xef, 0xba, 0xbf],
      [0xef, 0xbb, 0xbe],
      [0xef, 0xbb],
    ]) {
      expect(behind(...mark)).toBeUndefined();
    }
  });
});

describe('the members at the end of an object', () => {
  it.each<readonly [string, readonly string[], unknown]>([
    ['}', [], undefined],
    ['{}', [], undefined],
    ['cut","id":7,"a":[1]}', ['a', 'id'], 7],
    ['1,"id":"x","a":[1,{"id":5}]}', ['a', 'id'], 'x'],
    ['1 , "id" : {"n":1} , "a" : 2 } \n', ['a', 'id'], { n: 1 }],
    ['{"id":1,"id":2}', ['id', 'id'], 2],
    ['{"id":1,"a":2}', ['a', 'id'], 1],
    [',"\\u0069d":3}', ['id'], 3],
    ['2,"id":1.2.3}', ['id'], undefined],
  ])('are read as far as they go: %s', (text, names, id) => {
    expect(membersFromEnd(bytes(text))).toEqual({ names, id });
  });

  it.each<readonly [string, readonly string[]]>([
    ['12}', []],
    [':12}', []],
    [',"id";7}', []],
    [',"\\x":1}', []],
    [',id:7}', []],
    [',"id":}', []],
    ['{"id":7;"a":1}', ['a']],
    ['{"id":7,"a"b:1}', []],
  ])('are read no further than where it is no JSON: %s', (text, names) => {
    expect(membersFromEnd(bytes(text))).toEqual({ names, id: undefined });
  });

  it.each(['', '{"id":7}]', '{"id":7', '{"id":7}x'])('are none where no object ends: %s', (text) => {
    expect(membersFromEnd(bytes(text))).toBeUndefined();
  });
});
