import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/config/load-config.js';
import { wireOf } from '../../../src/config/managed/connector-of.js';
import type { HttpExtras } from '../../../src/config/managed/http-extras.js';
import { UnsentError } from '../../../src/errors/index.js';
import { watch } from '../../support/client/watch.js';

const wire = (raw: object, http: HttpExtras = {}) => {
  const [entry] = readConfig({ mcpServers: { k: raw } }, { env: {}, projectDir: '/p' }).entries;
  if (entry === undefined) throw new Error('there is an entry');
  return wireOf(entry, { childEnv: { A: '1' }, killGraceMs: undefined, maxMessageBytes: undefined, http });
};

describe('the wire of an entry', () => {
  it('is a process, or a URL in any of its forms', () => {
    expect(wire({ command: 'x' }).failure).toBeUndefined();
    expect(wire({ command: 'x' }).connector.forms).toBeUndefined();
    for (const type of ['http', 'sse']) expect(wire({ type, url: 'http://h/' }).connector.forms).toBe(true);
  });

  it.each([
    ['is disabled', { command: 'x', disabled: true }, 'it is disabled in the config'],
    ['lacks a variable', { command: '${NOPE}' }, 'NOPE'],
    ['has no command', {}, 'command'],
  ])('is none where the entry %s, and says why to all who would use it', (_how, raw, text) => {
    const { connector, failure } = wire(raw);
    expect(failure).toContain(text);
    const { error } = watch(connector());
    expect(error).toBeInstanceOf(UnsentError);
    expect((error as Error).message).toBe(failure);
  });
});
