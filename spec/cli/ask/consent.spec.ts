import { describe, expect, it } from '@jest/globals';
import { askConsent } from '../../../src/cli/ask/consent.js';
import { rejection } from '../../support/client/watch.js';
import { scriptedAsk } from '../../support/cli/scripted-ask.js';

const PAGE = { url: 'https://as.example/authorize?a=b', host: 'as.example' };
const ASKED = 'Open it in your browser? [y]es, [n]o: ';
const WAITS = 'Waiting until you are done there; Ctrl-C gives up. ';

const consent = async (works: boolean, ...lines: readonly (string | undefined)[]) => {
  const opened: string[] = [];
  const { ask, said } = scriptedAsk(...lines);
  const open = async (url: string): Promise<boolean> => {
    opened.push(url);
    return works;
  };
  const error = await rejection(askConsent('tickets', PAGE, open)(ask));
  return { opened, said, error };
};

describe('askConsent', () => {
  it('shows the server, the whole URL and its host, opens it after a yes, and waits until it is given up', async () => {
    const { opened, said, error } = await consent(true, '', 'what', 'Y', '', undefined);
    expect(opened).toEqual([PAGE.url]);
    expect(said).toEqual([
      ...['', 'tickets wants you to log in:', `  ${PAGE.url}`, '  host: as.example'],
      ...[ASKED, `${ASKED}what`, `${ASKED}Y`, WAITS, `${WAITS}^D`],
    ]);
    expect(error).toMatchObject({ name: 'AuthorizationError', problem: 'cancelled' });
  });

  it.each(['n', 'No', 'c', ':decline', undefined])('opens nothing after %s', async (line) => {
    const { opened, error } = await consent(true, line);
    expect(opened).toEqual([]);
    expect(error).toMatchObject({ name: 'AuthorizationError', problem: 'denied' });
  });

  it('leaves it to the person where there is no browser', async () => {
    const { said } = await consent(false, 'yes', undefined);
    expect(said.at(-2)).toBe('No browser could be started: open the page yourself.');
  });
});
