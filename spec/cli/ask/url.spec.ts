import { describe, expect, it } from '@jest/globals';
import { askUrl } from '../../../src/cli/ask/url.js';
import { scriptedAsk } from '../../support/cli/scripted-ask.js';

const question = (facts: object = {}, params: object = {}) =>
  ({
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Please sign in', url: 'https://example.com/a?b=c#d', ...params },
    server: { info: { name: 'till', version: '1' } },
    host: 'example.com',
    ...facts,
  }) as never;

const opening = (works = true) => {
  const opened: string[] = [];
  const open = async (url: string): Promise<boolean> => {
    opened.push(url);
    return works;
  };
  return { opened, open };
};

describe('askUrl', () => {
  it('shows who wants it, why, the whole URL and its host, and opens it after a yes', async () => {
    const { ask, said } = scriptedAsk('y');
    const { opened, open } = opening();
    expect(await askUrl('till', question(), open)(ask)).toEqual({ action: 'accept' });
    expect(opened).toEqual(['https://example.com/a?b=c#d']);
    expect(said).toEqual([
      ...[
        '',
        'till wants you to visit a page:',
        'Please sign in',
        '  https://example.com/a?b=c#d',
        '  host: example.com',
      ],
      'Open it in your browser? [y]es, [d]ecline, [c]ancel: y',
    ]);
  });

  it.each([
    [['d'], 'decline'],
    [['no'], 'decline'],
    [['c'], 'cancel'],
    [[undefined], 'cancel'],
    [['', 'what', 'd'], 'decline'],
  ])('opens nothing after %j', async (lines, action) => {
    const { ask } = scriptedAsk(...(lines as readonly (string | undefined)[]));
    const { opened, open } = opening();
    expect(await askUrl('till', question(), open)(ask)).toEqual({ action });
    expect(opened).toEqual([]);
  });

  it('shows what is suspicious about it', async () => {
    const { ask, said } = scriptedAsk('d');
    await askUrl('till', question({ warning: 'its host is written in Punycode' }), opening().open)(ask);
    expect(said).toContain('  careful: its host is written in Punycode');
  });

  it('leaves it to the person where there is no browser', async () => {
    const { ask, said } = scriptedAsk('y');
    expect(await askUrl('till', question(), opening(false).open)(ask)).toEqual({ action: 'accept' });
    expect(said.at(-1)).toBe('No browser could be started: open the page yourself.');
  });

  it('asks for the end of it where the server waits for that', async () => {
    const asked = question({}, { elicitationId: '7' });
    const done = scriptedAsk('y', '');
    expect(await askUrl('till', asked, opening().open)(done.ask)).toEqual({ action: 'accept', completed: true });
    const left = scriptedAsk('y', undefined);
    expect(await askUrl('till', asked, opening().open)(left.ask)).toEqual({ action: 'accept', completed: false });
  });
});
