import type { AuthorizationState } from '../../auth/index.js';
import { AuthorizationError } from '../../auth/authorization-error.js';
import { oneLine } from '../text/clean.js';
import { cyan, type Part } from '../text/paint.js';

const wordsOf = (state: AuthorizationState): string => {
  switch (state.status) {
    case 'discovering':
      return 'finding out where to log in';
    case 'registering':
      return `as rx-mcp, with ${state.issuer}`;
    case 'authorizing':
      return `at ${state.host}: it waits for you`;
    case 'exchanging':
      return 'fetching the tokens';
    case 'refreshing':
      return 'refreshing the tokens';
    case 'authorized':
      return state.scopes.length === 0 ? 'done' : `done, for ${state.scopes.join(' ')}`;
    case 'failed':
      return 'not done';
  }
};

/** A state of an authorization as a line. Why it failed is told where the command ends. */
export const stateParts = (state: AuthorizationState): readonly Part[] => [
  cyan(state.status.padEnd(13)),
  oneLine(wordsOf(state)),
];

/** The same for a program; an error as its facts. */
export const stateFacts = (state: AuthorizationState): object => {
  if (state.status !== 'failed') return state;
  const { name, message } = state.error;
  if (!(state.error instanceof AuthorizationError)) return { ...state, error: { name, message } };
  const { problem, code, issuer } = state.error;
  return { ...state, error: { name, message, problem, code, issuer } };
};
