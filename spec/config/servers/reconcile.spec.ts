import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/config/load-config.js';
import type { ManagedStatus } from '../../../src/config/managed/state.js';
import { reconcile, type Standing } from '../../../src/config/servers/reconcile.js';

/** Servers by key, with the command of their entry as their fingerprint. */
const standing = (all: Readonly<Record<string, readonly [ManagedStatus, string]>>): ReadonlyMap<string, Standing> =>
  new Map(Object.entries(all).map(([key, [status, fingerprint]]) => [key, { status, fingerprint }]));

const planned = (before: ReadonlyMap<string, Standing>, mcpServers: object) =>
  reconcile(before, readConfig({ mcpServers }, { env: {} }).entries, (entry) =>
    entry.state === 'usable' && entry.server.transport === 'stdio' ? entry.server.command : '',
  );

describe('reconciling servers with entries', () => {
  it('adds what is new, removes what is gone, restarts what is another and keeps the rest, in the order of the config', () => {
    const before = standing({
      gone: ['connected', 'x'],
      other: ['connected', 'x'],
      same: ['connected', 'x'],
      starting: ['starting', 'x'],
    });
    const entries = {
      starting: { command: 'x' },
      new: { command: 'x' },
      other: { command: 'y' },
      same: { command: 'x', timeout: 5_000 },
    };
    expect(planned(before, entries)).toEqual({
      added: ['new'],
      removed: ['gone'],
      restarted: ['other'],
      kept: ['starting', 'same'],
    });
  });

  it.each<ManagedStatus>(['failed', 'stopped'])('makes one anew that is %s', (status) => {
    const plan = planned(standing({ a: [status, 'x'] }), { a: { command: 'x' } });
    expect(plan).toMatchObject({ restarted: ['a'], kept: [] });
  });

  it('removes what is switched off, and adds it when it is switched on', () => {
    const plan = planned(standing({ a: ['connected', 'x'] }), { a: { command: 'x', disabled: true } });
    expect(plan).toEqual({ added: [], removed: ['a'], restarted: [], kept: [] });
    expect(planned(new Map(), { a: { command: 'x', disabled: false } }).added).toEqual(['a']);
    expect(planned(new Map(), { a: { command: 'x', disabled: true } }).added).toEqual([]);
  });

  it('restarts one whose entry can no longer be used, whatever its fingerprint', () => {
    expect(planned(standing({ a: ['connected', ''] }), { a: { command: '${NONE}' } }).restarted).toEqual(['a']);
  });
});
