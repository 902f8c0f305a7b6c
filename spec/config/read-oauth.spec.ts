import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/config/load-config.js';
import { describeServer } from '../../src/config/describe-server.js';

const read = (oauth: unknown, env: Record<string, string> = {}) => {
  const { entries, problems } = readConfig(
    { mcpServers: { s: { url: 'https://example.com/mcp', oauth } } },
    { env, projectDir: '/p' },
  );
  const [entry] = entries;
  if (entry === undefined) throw new Error('there is an entry');
  return { entry, problems: problems.map(({ level, path }) => `${level} ${path}`), all: problems };
};

const AT = '/mcpServers/s/oauth';

describe('the oauth of an entry', () => {
  it('is read as the clients write it, with references replaced', () => {
    const written = { clientId: '${ID}', clientSecret: '${SECRET}', callbackPort: '3118' };
    const { entry, problems } = read(written, { ID: 'the-client', SECRET: 'xyzzy-plugh' });
    expect(entry).toMatchObject({
      server: { oauth: { clientId: 'the-client', clientSecret: 'xyzzy-plugh', callbackPort: 3118 } },
    });
    expect(problems).toEqual([]);
    expect(read({ callbackPort: 8080 }).entry).toMatchObject({ server: { oauth: { callbackPort: 8080 } } });
    expect(read(null).entry).toMatchObject({ state: 'usable' });
  });

  it('does not show its secret, neither in a description nor in a message', () => {
    const { entry } = read({ clientId: 'the-client', clientSecret: 'xyzzy-plugh' });
    if (entry.state !== 'usable') throw new Error('it can be used');
    expect(describeServer(entry.server)).toMatchObject({
      oauth: { clientId: 'the-client', clientSecret: '[redacted]' },
    });
    expect(entry.redact('it said xyzzy-plugh')).toBe('it said [redacted]');
  });

  it.each([
    ['yes', `error ${AT}`],
    [{ clientId: 5 }, `error ${AT}/clientId`],
    [{ clientId: ' ' }, `error ${AT}/clientId`],
    [{ clientId: '${NOPE}' }, `error ${AT}/clientId`],
    [{ clientSecret: 's' }, `error ${AT}/clientSecret`],
    [{ callbackPort: 0 }, `error ${AT}/callbackPort`],
    [{ callbackPort: 65_536 }, `error ${AT}/callbackPort`],
    [{ callbackPort: '80a' }, `error ${AT}/callbackPort`],
    [{ scopes: 'a b' }, `warning ${AT}/scopes`],
    [{ authServerMetadataUrl: 'https://as' }, `warning ${AT}/authServerMetadataUrl`],
    [{ toString: 1 }, `note ${AT}/toString`],
  ])('is a problem with its path where it is odd: %j', (oauth, problem) => {
    expect(read(oauth).problems).toEqual([problem]);
  });
});
