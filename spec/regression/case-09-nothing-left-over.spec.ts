import { describe, expect, it, jest } from '@jest/globals';
import { startParent } from '../support/parent-processes.js';

jest.setTimeout(120_000);

describe('case 9: a thousand connections, one after the other', () => {
  it.each([
    ['are closed', 'closed', 1_000],
    ['end with their subscription', 'unsubscribed', 100],
    ['fail to start', 'failed', 1_000],
    ['die', 'died', 200],
  ])('leave listeners, handles, descriptors and children as they were when they %s', async (_what, kind, count) => {
    const parent = startParent('cycles', String(count), kind);
    const { before, after } = JSON.parse(await parent.line()) as Record<'before' | 'after', Record<string, unknown>>;
    expect(after).toEqual(before);
    expect(after).toMatchObject({ children: '' });
    expect(after?.['listeners']).not.toHaveProperty('SIGINT');
    expect(await parent.ended).toEqual({ code: 0, signal: null, stderr: '' });
  });
});
