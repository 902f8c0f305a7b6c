import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitWords } from '../../../src/cli/input/words.js';

describe('splitWords', () => {
  it.each([
    ['node server.js --stdio', ['node', 'server.js', '--stdio']],
    ['  a \t b\nc ', ['a', 'b', 'c']],
    [`a 'b c' "d e"`, ['a', 'b c', 'd e']],
    [`a'b'"c"d`, ['abcd']],
    [`'' ""`, ['', '']],
    [`'it'\\''s'`, ["it's"]],
    [`"a \\"b\\" \\\\ \\n"`, ['a "b" \\ \\n']],
    ['a\\ b', ['a b']],
    ['a \\\n b\\\nc', ['a', 'bc']],
    ['"a\\\r\nb"', ['ab']],
    [`'a\\\nb'`, ['a\\\nb']],
    [`'a\\b'`, ['a\\b']],
    ['$HOME ~ *.js | ; &', ['$HOME', '~', '*.js', '|', ';', '&']],
    ['', []],
  ])('splits %j', (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });

  it.each([`a 'b`, `a "b`, `a "b\\"`])('refuses a quote without its end: %j', (line) => {
    expect(() => splitWords(line)).toThrow(expect.objectContaining({ name: 'CommandError', exitCode: 2 }));
  });

  const itWithShell = process.platform === 'win32' ? it.skip : it;
  itWithShell('splits as a shell does, quotes and backslashes alike', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      ' ',
      "'x y'",
      '"x y"',
      '"\\""',
      '\\ ',
      "\\'",
      "''",
      '"$"',
      '"\\a"',
      '\\\n',
      '"x\\\ny"',
    );
    const lines = fc.sample(
      fc.array(piece, { maxLength: 8 }).map((all) => all.join('')),
      60,
    );
    const script = lines.map((line) => `show ${line}`).join('\n');
    const show = `show() { for word in "$@"; do printf '<%s>' "$word"; done; printf '\\n'; }`;
    const said = execFileSync('sh', ['-c', `${show}\n${script}`], { encoding: 'utf8' })
      .trimEnd()
      .split('\n');
    const ours = lines.map((line) =>
      splitWords(line)
        .map((word) => `<${word}>`)
        .join(''),
    );
    expect(ours).toEqual(said.concat(Array.from({ length: lines.length - said.length }, () => '')));
  });
});
