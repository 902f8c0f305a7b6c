import { sep } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { expand } from '../../src/config/expand.js';

const AROUND = {
  env: {
    HOST: 'example.com',
    EMPTY: '',
    GONE: undefined,
    API_TOKEN: 't0ken',
    REF: '${HOST}',
    'ProgramFiles(x86)': 'P',
  },
  projectDir: '/work/app',
  home: '/home/me',
};

const textOf = (text: string): string => expand(text, AROUND).text;

describe('expand', () => {
  it.each([
    ['${HOST}', 'example.com'],
    ['https://${HOST}/${HOST}', 'https://example.com/example.com'],
    ['${env:HOST}', 'example.com'],
    ['${HOST:-other}', 'example.com'],
    ['${NONE:-other}', 'other'],
    ['${env:NONE:-other}', 'other'],
    ['${GONE:-other}', 'other'],
    ['${NONE:-}', ''],
    ['${NONE:-a:-b}', 'a:-b'],
    ['${NONE:-${HOST}}', 'example.com'],
    ['${NONE:-${ALSO:-${HOST}}}!', 'example.com!'],
    ['${NONE:-{"a":{}}}', '{"a":{}}'],
    ['${ProgramFiles(x86)}', 'P'],
  ])('replaces variables: %s', (text, expanded) => {
    expect(expand(text, AROUND)).toMatchObject({ text: expanded, unresolved: [] });
  });

  it('takes names that differ in case alone as one where that is the rule', () => {
    expect(expand('${host}|${Host:-x}', AROUND).text).toBe('${host}|x');
    expect(expand('${host}|${Host:-x}', { ...AROUND, ignoreCase: true }).text).toBe('example.com|example.com');
  });

  it('tells that there is no home where the user has none', () => {
    const { text, unresolved } = expand('${userHome}/x', { ...AROUND, home: undefined });
    expect([text, unresolved.map(({ message }) => message)]).toEqual([
      '${userHome}/x',
      ['this user has no home folder: set the variable HOME, or write the path'],
    ]);
  });

  it('goes so deep into defaults, and no deeper', () => {
    const nested = (depth: number): string => '${NONE:-'.repeat(depth) + 'x' + '}'.repeat(depth);
    expect(expand(nested(30), AROUND)).toMatchObject({ text: 'x', unresolved: [] });
    const { unresolved } = expand(nested(20_000), AROUND);
    expect(unresolved.map(({ message }) => message)).toEqual([
      'defaults are nested more than 32 deep: write the value',
    ]);
  });

  it('takes an empty variable as set', () => {
    expect(textOf('<${EMPTY:-x}>')).toBe('<>');
  });

  it.each([
    ['${workspaceFolder}/src', '/work/app/src'],
    ['${workspaceFolderBasename}', 'app'],
    ['${userHome}${pathSeparator}x${/}y', `/home/me${sep}x${sep}y`],
  ])('replaces what editors know: %s', (text, expanded) => {
    expect(textOf(text)).toBe(expanded);
  });

  it('leaves alone what is no reference', () => {
    for (const text of ['$HOST', '${}', '${x%.*}', '${open', 'a}b{', '$${', '${foo bar}', '']) {
      expect(expand(text, AROUND)).toEqual({ text, unresolved: [], secrets: [] });
    }
  });

  it('does not look into the values of variables', () => {
    expect(textOf('${REF}')).toBe('${HOST}');
  });

  it('names each variable that is not set, and leaves its reference in place', () => {
    const { text, unresolved } = expand('${NONE}/${HOST}/${env:ALSO}/${toString}', AROUND);
    expect(text).toBe('${NONE}/example.com/${env:ALSO}/${toString}');
    expect(unresolved.map(({ variable }) => variable)).toEqual(['NONE', 'ALSO', 'toString']);
    expect(unresolved[0]?.message).toBe('the variable NONE is not set: set it, or give a default with ${NONE:-…}');
  });

  it('says what to do in place of what only an editor can resolve', () => {
    const { unresolved } = expand('${input:key} ${command:x.y} ${config:a}', AROUND);
    expect(unresolved.map(({ variable }) => variable)).toEqual([undefined, undefined, undefined]);
    expect(unresolved[0]?.message).toMatch(/\$\{input:key\} .* environment variable/);
  });

  it('tells the values of variables that are secret by name', () => {
    expect(expand('--header=${API_TOKEN}@${HOST}', AROUND).secrets).toEqual(['t0ken']);
    expect(expand('${A_KEY:-else-${HOST}} ${PORT:-1}', AROUND).secrets).toEqual(['else-example.com']);
  });

  it('ends at any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'${}:-HOST'), maxLength: 30 }), (text) => {
        expect(typeof textOf(text)).toBe('string');
      }),
    );
  });
});
