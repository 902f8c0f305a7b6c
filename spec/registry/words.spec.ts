import { describe, expect, it } from '@jest/globals';
import { mayBeBegun, wordsIn } from '../../src/registry/words.js';

describe('the words of a text', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    [' _/-\t', []],
    ['read_text file', ['read', 'text', 'file']],
    ['getWeather', ['getWeather', 'get', 'Weather']],
    ['मौसम की', ['मौसम', 'की']],
    ['今日の天', ['今日', '日の', 'の天']],
    ['サーバー', ['サー', 'ーバ', 'バー']],
    ['web検索 A型', ['web', '検索', 'A', '型']],
    ['𠮷野家', ['𠮷野', '野家']],
    ['a\ud83d', ['a']],
  ])('of %j are %j', (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });

  it('may be begun, unless there is too little of them', () => {
    const words = ['a', 'ab', 'abc', '날', '날씨', 'é', 'té', '雪'];
    expect(words.filter(mayBeBegun)).toEqual(['abc', '날씨', 'té', '雪']);
  });
});
