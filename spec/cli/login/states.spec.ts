import { describe, expect, it } from '@jest/globals';
import { AuthorizationError, type AuthorizationState } from '../../../src/auth/index.js';
import { stateFacts, stateParts } from '../../../src/cli/login/states.js';
import { render } from '../../../src/cli/text/paint.js';

const server = 'https://mcp.example/mcp';
const issuer = 'https://as.example';
const error = new AuthorizationError('denied', 'no', { code: 'access_denied', issuer });

describe('a state of an authorization', () => {
  it.each<[AuthorizationState, string]>([
    [{ status: 'discovering', server }, 'discovering  finding out where to log in'],
    [{ status: 'registering', server, issuer }, `registering  as rx-mcp, with ${issuer}`],
    [
      { status: 'authorizing', server, issuer, url: `${issuer}/a`, host: 'as.example' },
      'authorizing  at as.example: it waits for you',
    ],
    [{ status: 'exchanging', server, issuer }, 'exchanging   fetching the tokens'],
    [{ status: 'refreshing', server, issuer }, 'refreshing   refreshing the tokens'],
    [{ status: 'authorized', server, issuer, scopes: [] }, 'authorized   done'],
    [{ status: 'authorized', server, issuer, scopes: ['a', 'b\n\u001b[2J'] }, 'authorized   done, for a b'],
    [{ status: 'failed', server, error }, 'failed       not done'],
  ])('is one line, whatever a stranger has written in it: %j', (state, line) => {
    expect(render(stateParts(state), false).trimEnd()).toBe(line);
  });

  it('is an object for programs, with the facts of an error', () => {
    const state = { status: 'exchanging', server, issuer } as const;
    expect(stateFacts(state)).toEqual(state);
    expect(JSON.parse(JSON.stringify(stateFacts({ status: 'failed', server, error })))).toEqual({
      ...{ status: 'failed', server },
      error: { name: 'AuthorizationError', message: 'no', problem: 'denied', code: 'access_denied', issuer },
    });
  });
});
