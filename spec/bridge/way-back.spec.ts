import { describe, expect, it } from '@jest/globals';
import { declare, LLM_FORMATS, type CallFormat } from '../../src/bridge/formats/index.js';
import { WayBack } from '../../src/bridge/way-back.js';
import { tool } from './support/batches.js';

const LONG = 'x'.repeat(63);
const NAMES = [
  'fs.read',
  'fs/read',
  'fs_read',
  'ünïcödé',
  '7zip',
  '-dash',
  `${LONG}y`,
  `${LONG}yy`,
  'a b',
  '',
  'plain',
];

/** The names under which a format declares tools. */
const publishedIn = (format: (typeof LLM_FORMATS)[number]): readonly (string | undefined)[] => {
  const { names } = declare(
    NAMES.filter((name) => name !== '').map((name) => tool(name)),
    format,
  );
  return NAMES.filter((name) => name !== '').map((name) => names.published(name));
};

describe('the way back', () => {
  it.each(LLM_FORMATS)('from each name that is declared is exact, for %s', (format) => {
    const back = new WayBack(NAMES);
    const published = publishedIn(format);
    expect(new Set(published).size).toBe(NAMES.length - 1);
    expect(published.map((name) => back.find(name ?? '', format))).toEqual(NAMES.filter((name) => name !== ''));
  });

  it.each([...LLM_FORMATS, 'neutral'] as const)('takes a tool’s own name too, for %s', (format: CallFormat) => {
    const back = new WayBack(NAMES);
    for (const name of NAMES) expect(back.find(name, format)).toBe(name);
  });

  it('takes the names of the default in calls in no vendor’s shape', () => {
    const back = new WayBack(NAMES);
    expect(publishedIn('openai').map((name) => back.find(name ?? '', 'neutral'))).toEqual(
      NAMES.filter((name) => name !== ''),
    );
  });

  it('takes the names of any format in a call of any other, where they mean nothing there', () => {
    const back = new WayBack(NAMES);
    const shapes: readonly CallFormat[] = [...LLM_FORMATS, 'neutral'];
    for (const declaredFor of LLM_FORMATS) {
      for (const shape of shapes) {
        expect(publishedIn(declaredFor).map((name) => back.find(name ?? '', shape))).toEqual(
          NAMES.filter((name) => name !== ''),
        );
      }
    }
  });

  it('leads nowhere from a name that means no tool', () => {
    const back = new WayBack(NAMES);
    for (const name of ['nobody', 'toString']) expect(back.find(name, 'openai')).toBeUndefined();
    expect(new WayBack([]).find('a', 'neutral')).toBeUndefined();
  });
});
