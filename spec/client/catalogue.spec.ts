import { describe, expect, it } from '@jest/globals';
import { Catalogue } from '../../src/client/catalogue.js';
import type { Tool } from '../../src/index.js';
import type { Session } from '../../src/session/index.js';

const tool = (name: string, annotations?: Tool['annotations']): Tool => ({
  name,
  inputSchema: { type: 'object' },
  ...(annotations === undefined ? {} : { annotations }),
});

/** Sessions are told apart by identity alone. */
const session = (): Session => Object.create(null) as Session;

describe('the catalogue', () => {
  it('knows the tools of the last list, and no others', () => {
    const one = session();
    const catalogue = new Catalogue(() => one);
    expect(catalogue.get('a')).toBeUndefined();
    catalogue.keep([tool('a'), tool('b')]);
    expect(catalogue.get('a')).toEqual(tool('a'));
    catalogue.keep([tool('b')]);
    expect(catalogue.get('a')).toBeUndefined();
    expect(catalogue.get('b')).toEqual(tool('b'));
    expect(catalogue.get('__proto__')).toBeUndefined();
  });

  it('forgets at a change notice', () => {
    const one = session();
    const catalogue = new Catalogue(() => one);
    catalogue.keep([tool('a')]);
    catalogue.drop();
    expect(catalogue.get('a')).toBeUndefined();
  });

  it('says nothing of another connection than the one it was read from', () => {
    let current: Session | undefined = session();
    const catalogue = new Catalogue(() => current);
    catalogue.keep([tool('a')]);
    current = session();
    expect(catalogue.get('a')).toBeUndefined();
    current = undefined;
    expect(catalogue.get('a')).toBeUndefined();
  });

  it('keeps nothing while there is no connection', () => {
    const catalogue = new Catalogue(() => undefined);
    catalogue.keep([tool('a')]);
    expect(catalogue.get('a')).toBeUndefined();
  });

  it.each([
    [{ readOnlyHint: true }, true],
    [{ idempotentHint: true }, true],
    [{ readOnlyHint: true, idempotentHint: false, destructiveHint: true }, true],
    [{ destructiveHint: false }, false],
    [{ readOnlyHint: false, idempotentHint: false }, false],
    [{}, false],
    [undefined, false],
  ])('calls a tool annotated %j repeatable: %p, where it is trusted', (annotations, expected) => {
    const one = session();
    const catalogue = new Catalogue(() => one);
    catalogue.keep([tool('a', annotations)]);
    expect(catalogue.repeatable('a', 'all')).toBe(expected);
    expect(catalogue.repeatable('a', 'overlap')).toBe(false);
    expect(catalogue.repeatable('a', 'none')).toBe(false);
  });

  it('calls nothing repeatable that is not in it, nor what is annotated with anything but true', () => {
    const one = session();
    const catalogue = new Catalogue(() => one);
    catalogue.keep([tool('a', { readOnlyHint: 'yes' as unknown as boolean })]);
    expect(catalogue.repeatable('a', 'all')).toBe(false);
    expect(catalogue.repeatable('b', 'all')).toBe(false);
  });
});
