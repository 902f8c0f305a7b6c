import { describe, expect, it } from '@jest/globals';
import { isSecretHeader, isSecretName } from '../../src/config/secret-names.js';
import { SECRET_NAMES } from '../support/secrets.js';

describe('isSecretName', () => {
  it.each([
    ...['TOKEN', 'GITHUB_TOKEN', 'githubToken', 'OPENAI_API_KEY', 'apikey', '--api-key', 'KEY', 'CLIENT_SECRET'],
    ...['PASSWORD', 'PGPASSWORD', 'DB_PASS', 'MYSQL_PWD', 'SENTRY_DSN', 'AUTH', 'basicAuth', 'GITHUB_PAT', 'Cookie'],
    ...['PRIVATE_PEM', 'AWS_CREDENTIALS', 'sig', 'X-Session'],
    ...SECRET_NAMES,
  ])('is true of %s', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each([
    ...['PATH', 'HOME', 'PWD', 'OLDPWD', 'PORT', 'NODE_ENV', 'AUTHOR', 'DATABASE', 'MAX_MCP_OUTPUT_TOKENS', 'COMPASS'],
    ...['PATTERN', 'KEYBOARD', '--root', 'DESIGN', 'max_token', 'theMaxOfMaxTokens'],
    ...['token_limit', 'maxTokenCount', 'KEY_PREFIX', 'key-length', 'SESSION_NAME'],
  ])('is false of %s', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe('isSecretHeader', () => {
  it('is true of every header but those that are known to be harmless', () => {
    expect(['Authorization', 'X-Api-Key', 'X-Tenant', 'Cookie'].map(isSecretHeader)).toEqual([true, true, true, true]);
    expect(['Accept', 'USER-AGENT'].map(isSecretHeader)).toEqual([false, false]);
  });
});
