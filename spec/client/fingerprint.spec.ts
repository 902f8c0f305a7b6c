import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonical } from '../../src/client/canonical.js';
import { changesBetween } from '../../src/client/tool-changes.js';
import { type Tool, toolFingerprint } from '../../src/index.js';

const tool = (more: object = {}): Tool => ({
  name: 'add',
  description: 'Adds',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  ...more,
});

/** The same value, the keys of its objects the other way round. */
const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, turned(member)]),
  );
};

const nested = (depth: number, inmost: unknown): unknown => {
  let value = inmost;
  for (let level = 0; level < depth; level += 1) value = { properties: { x: value } };
  return value;
};

const byName = (...tools: readonly Tool[]): Map<string, Tool> => new Map(tools.map((one) => [one.name, one]));

describe('the fingerprint of a tool', () => {
  it('is the SHA-256 of its definition, in hexadecimal, and stays the same from release to release', () => {
    const text =
      '{"description":"Adds","inputSchema":{"properties":{"a":{"type":"number"},"b":{"type":"number"}},' +
      '"required":["a","b"],"type":"object"},"name":"add"}';
    expect(toolFingerprint(tool())).toBe(createHash('sha256').update(text).digest('hex'));
    expect(toolFingerprint(tool())).toBe('912356512e12e852acd45090eb4401f146d36ae6c0218235e1e95b3bd5a55e40');
  });

  it('does not depend on the order of keys, nor on members that are undefined', () => {
    const odd = tool({ annotations: { readOnlyHint: true, title: 'Sum' }, title: undefined });
    expect(toolFingerprint(turned(odd) as Tool)).toBe(toolFingerprint(odd));
    expect(toolFingerprint(tool({ title: undefined, outputSchema: undefined }))).toBe(toolFingerprint(tool()));
  });

  it.each<[string, object]>([
    ['name', { name: 'Add' }],
    ['title', { title: 'Sum' }],
    ['description', { description: 'Adds.' }],
    ['input schema', { inputSchema: { ...tool().inputSchema, required: ['b', 'a'] } }],
    ['output schema', { outputSchema: { type: 'object' } }],
    ['annotations', { annotations: { destructiveHint: false } }],
  ])('differs with its %s', (_what, more) => {
    expect(toolFingerprint(tool(more))).not.toBe(toolFingerprint(tool()));
  });

  it('does not differ with icons, _meta and what a server adds', () => {
    const more = { icons: [{ src: 'data:,' }], _meta: { a: 1 }, 'x-new': 1 };
    expect(toolFingerprint(tool(more))).toBe(toolFingerprint(tool()));
  });

  it('tells apart what texts put together could mistake', () => {
    const pairs: readonly (readonly [object, object])[] = [
      [{ description: '1' }, { description: 1 }],
      [{ description: null }, {}],
      [{ description: undefined, title: 'Adds' }, { description: 'Adds' }],
      [{ inputSchema: { type: 'object', a: [] } }, { inputSchema: { type: 'object', a: {} } }],
      [{ inputSchema: { type: 'object', a: [[1], 2] } }, { inputSchema: { type: 'object', a: [[1, 2]] } }],
      [{ inputSchema: { type: 'object', 'a":1,"b': 2 } }, { inputSchema: { type: 'object', a: 1, b: 2 } }],
      [{ description: '\ud800' }, { description: '\ud801' }],
    ];
    for (const [one, other] of pairs) {
      expect(toolFingerprint(tool(one))).not.toBe(toolFingerprint(tool(other)));
    }
  });

  it('takes a schema of any depth, to its end', () => {
    const deep = (inmost: unknown): Tool => tool({ inputSchema: { type: 'object', x: nested(50_000, inmost) } });
    expect(toolFingerprint(deep(1))).toBe(toolFingerprint(deep(1)));
    expect(toolFingerprint(deep(1))).not.toBe(toolFingerprint(deep(2)));
  });
});

describe('the text of a value', () => {
  it('is JSON of it, and the same for equal values alone', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(JSON.parse(canonical(one))).toEqual(JSON.parse(JSON.stringify(one)));
        expect(canonical(turned(one))).toBe(canonical(one));
        const same = canonical(JSON.parse(JSON.stringify(one))) === canonical(JSON.parse(JSON.stringify(other)));
        let equal = true;
        try {
          expect(JSON.parse(JSON.stringify(one))).toStrictEqual(JSON.parse(JSON.stringify(other)));
        } catch {
          equal = false;
        }
        expect(same).toBe(equal);
      }),
    );
  });
});

describe('the changes from one list of tools to the next', () => {
  const [a, b] = [tool({ name: 'a' }), tool({ name: 'b' })];

  it('are what was added, removed and changed, with before and after', () => {
    const after = tool({ name: 'b', description: 'Subtracts' });
    const c = tool({ name: 'c' });
    expect(changesBetween(byName(a, b), byName(after, c))).toEqual({
      added: [c],
      removed: [a],
      changed: [{ before: b, after }],
    });
  });

  it('are none between lists of equal tools, in whatever order', () => {
    expect(changesBetween(byName(a, b), byName({ ...b }, turned(a) as Tool))).toBeUndefined();
    expect(changesBetween(byName(), byName())).toBeUndefined();
  });

  it('are none where only what does not count differs', () => {
    expect(changesBetween(byName(a), byName({ ...a, _meta: { n: 1 } }))).toBeUndefined();
  });
});
