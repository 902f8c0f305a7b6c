import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatOf, LLM_FORMATS } from '../../src/bridge/formats/index.js';
import { type NameRule, type NameTable, nameTable } from '../../src/bridge/names.js';

const RULE: NameRule = { legal: /^[a-zA-Z0-9_-]{1,64}$/, maxLength: 64 };
const STRICT: NameRule = { legal: /^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$/, maxLength: 63 };

const allOf = (table: NameTable, raws: readonly string[]): readonly (string | undefined)[] =>
  raws.map((raw) => table.published(raw));

/** Names that clash: few characters, most of them illegal, and what hashes look like. */
const clashing = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '_', '.', '/', ' ', '1', 'ü'), maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: fc.constantFrom('a', '.'), minLength: 60, maxLength: 70 }),
  fc.constantFrom('__proto__', 'constructor', '\ud800', '\ud801', ''),
);

describe('the published names of tools', () => {
  it('are the names themselves where these are legal', () => {
    const raws = ['add', 'read-file', 'A_1', '__proto__', 'n'.repeat(64)];
    expect(allOf(nameTable(raws, RULE), raws)).toEqual(raws);
  });

  it('have an underscore for each character that is illegal', () => {
    const raws = ['admin.users', 'a/b c', 'größe', '😀b', ''];
    expect(allOf(nameTable(raws, RULE), raws)).toEqual(['admin_users', 'a_b_c', 'gr__e', '_b', '_']);
  });

  it('begin with a letter or an underscore where they must', () => {
    expect(allOf(nameTable(['9lives', '-x', 'ok'], STRICT), ['9lives', '-x', 'ok'])).toEqual(['_9lives', '_-x', 'ok']);
    expect(nameTable(['9lives'], RULE).published('9lives')).toBe('9lives');
  });

  it('are cut and told apart by a hash where they are too long, and stay the same from release to release', () => {
    const [one, other] = [`${'n'.repeat(70)}a`, `${'n'.repeat(70)}b`];
    const table = nameTable([one, other], RULE);
    const hash = createHash('sha256')
      .update(JSON.stringify([one, 0]))
      .digest('hex')
      .slice(0, 8);
    expect(table.published(one)).toBe(`${'n'.repeat(55)}_${hash}`);
    expect(hash).toBe('74505d2f');
    expect(table.published(one)).not.toBe(table.published(other));
    expect(table.raw(table.published(one) ?? '')).toBe(one);
  });

  it('are told apart by a hash where two would be one, and a legal name always wins', () => {
    const table = nameTable(['a.b', 'a/b', 'c.d', 'c_d'], RULE);
    expect(table.published('a.b')).toMatch(/^a_b_[0-9a-f]{8}$/);
    expect(table.published('a/b')).toMatch(/^a_b_[0-9a-f]{8}$/);
    expect(table.published('c_d')).toBe('c_d');
    expect(table.published('c.d')).toMatch(/^c_d_[0-9a-f]{8}$/);
  });

  it('give way to a legal name even where the hash is what they have in common', () => {
    const taken = nameTable(['a.b', 'a/b'], RULE).published('a.b') ?? '';
    const table = nameTable(['a.b', 'a/b', taken], RULE);
    expect(table.published(taken)).toBe(taken);
    expect(table.published('a.b')).toMatch(/^a_b_[0-9a-f]{8}$/);
    expect(table.published('a.b')).not.toBe(taken);
  });

  it('lead back to the tool, and so does its own name as long as it is no other tool published', () => {
    const table = nameTable(['a.b', 'a_b', 'x y'], RULE);
    expect(table.raw('a_b')).toBe('a_b');
    expect(table.raw('a.b')).toBe('a.b');
    expect(table.raw('x_y')).toBe('x y');
    expect(table.raw('x y')).toBe('x y');
    expect(table.raw('x')).toBeUndefined();
    expect(table.published('x')).toBeUndefined();
    expect(table.raw('toString')).toBeUndefined();
  });

  it.each(LLM_FORMATS)('are legal, unique, exact on the way back and the same in any order: %s', (format) => {
    const { names: rule } = formatOf(format);
    fc.assert(
      fc.property(fc.uniqueArray(clashing, { maxLength: 30 }), fc.nat(), (raws, seed) => {
        const table = nameTable(raws, rule);
        const names = raws.map((raw) => table.published(raw) ?? 'not published');
        for (const name of names) expect(name).toMatch(rule.legal);
        expect(new Set(names).size).toBe(raws.length);
        expect(names.map((name) => table.raw(name))).toEqual(raws);
        raws.filter((raw) => rule.legal.test(raw)).forEach((raw) => expect(table.published(raw)).toBe(raw));
        raws.filter((raw) => !names.includes(raw)).forEach((raw) => expect(table.raw(raw)).toBe(raw));
        const turned = [...raws.slice(seed % (raws.length + 1)), ...raws.slice(0, seed % (raws.length + 1))].reverse();
        expect(allOf(nameTable(turned, rule), raws)).toEqual(names);
      }),
    );
  });

  it('are found for many thousand names that are alike', () => {
    const raws = Array.from({ length: 20_000 }, (_, index) => 'a' + '.'.repeat(70) + String(index));
    const table = nameTable(raws, RULE);
    expect(new Set(allOf(table, raws)).size).toBe(raws.length);
  });
});
