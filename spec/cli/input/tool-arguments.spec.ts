import { describe, expect, it } from '@jest/globals';
import { readPair } from '../../../src/cli/input/pairs.js';
import { toolArguments } from '../../../src/cli/input/tool-arguments.js';
import type { Tool } from '../../../src/protocol/schemas/index.js';

const toolOf = (properties: Record<string, unknown>, others: object = {}): Tool =>
  ({ name: 'order', inputSchema: { type: 'object', properties, ...others } }) as Tool;

const ORDER = toolOf(
  {
    id: { type: 'string', description: 'which one' },
    count: { type: 'integer' },
    price: { type: 'number' },
    gift: { type: 'boolean' },
    note: { type: ['string', 'null'] },
    size: { enum: ['small', 'large'] },
    tags: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'integer' } },
    where: { type: 'object' },
    thing: {},
    either: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    nothing: { type: 'null' },
  },
  { required: ['id'] },
);

const typed = (tool: Tool, words: readonly string[], args?: Record<string, unknown>) =>
  toolArguments(tool, words.map(readPair), args);
const one = (word: string) => {
  const { id: _id, ...rest } = typed(ORDER, [word], { id: 'x' });
  return rest;
};

const refused = (message: RegExp, remedy: unknown = expect.anything()) =>
  expect.objectContaining({ exitCode: 2, message: expect.stringMatching(message), remedy });

describe('toolArguments', () => {
  it.each([
    ['count=3', { count: 3 }],
    ['count=-1', { count: -1 }],
    ['price=1e2', { price: 100 }],
    ['gift=true', { gift: true }],
    ['note=hello world', { note: 'hello world' }],
    ['note=null', { note: null }],
    ['note=5', { note: '5' }],
    ['size=large', { size: 'large' }],
    ['tags=["a", "b"]', { tags: ['a', 'b'] }],
    ['tags=a, b', { tags: ['a, b'] }],
    ['sizes=3', { sizes: [3] }],
    ['where={"x": 1}', { where: { x: 1 } }],
    ['thing=5', { thing: '5' }],
    ['thing:=5', { thing: 5 }],
    ['either=5', { either: 5 }],
    ['either=five', { either: 'five' }],
    ['nothing=null', { nothing: null }],
    ['unheard-of:={"a": 1}', { 'unheard-of': { a: 1 } }],
    ['count:="as text"', { count: 'as text' }],
  ])('takes %j for what the schema says', (word, value) => {
    expect(one(word)).toEqual(value);
  });

  it('leaves a text a text, whatever it looks like', () => {
    for (const text of ['5', 'true', 'null', '{"a": 1}', '', ' x '])
      expect(typed(ORDER, [`id=${text}`])).toEqual({ id: text });
  });

  it('gathers the items of a list, in their order', () => {
    expect(one('tags=a')).toEqual({ tags: ['a'] });
    expect(typed(ORDER, ['tags=a', 'tags=b', 'tags=["c"]'], { id: 'x' })).toEqual({ id: 'x', tags: ['a', 'b', 'c'] });
  });

  it('lays what is typed over the whole object', () => {
    expect(typed(ORDER, ['id=y', 'tags=b'], { id: 'x', tags: ['a'], count: 1 })).toEqual({
      id: 'y',
      tags: ['b'],
      count: 1,
    });
  });

  it.each([
    ['count=3.5', /count: "3\.5" is not of the kind integer/],
    ['count=', /not of the kind integer/],
    ['gift=yes', /not of the kind boolean/],
    ['sizes=[1,', /not of the kind integer\[\]/],
    ['sizes=x', /not of the kind integer\[\]/],
    ['size=larg', /size: "larg" is none of its values; did you mean "large"\?/],
    ['cuont=3', /has no argument "cuont"; did you mean "count"\?/],
    ['count:=x', /count: "x" is no JSON/],
  ])('refuses %j, and says what would do', (word, message) => {
    expect(() => one(word)).toThrow(refused(message));
  });

  it('refuses what is given twice', () => {
    expect(() => typed(ORDER, ['id=a', 'id=b'])).toThrow(
      refused(/^id is given twice$/, 'id (string, required): which one'),
    );
  });

  it('names what is missing, with its line of help', () => {
    expect(() => typed(ORDER, [])).toThrow(refused(/needs the argument "id"$/, 'id (string, required): which one'));
    const two = toolOf({ a: { type: 'number' }, b: {} }, { required: ['a', 'b'] });
    expect(() => typed(two, [])).toThrow(
      refused(/needs the arguments "a", "b"$/, 'a (number, required)\nb (any, required)'),
    );
  });

  it('takes anything for a tool that says nothing of its arguments', () => {
    expect(typed({ name: 'free', inputSchema: { type: 'object' } }, ['a=1', 'b:=1'])).toEqual({ a: '1', b: 1 });
  });

  it('takes nothing for a tool that says that there is nothing', () => {
    const none = toolOf({}, { additionalProperties: false });
    expect(() => typed(none, ['a=1'])).toThrow(refused(/has no argument "a"; there are none/));
  });

  it('takes names that every object inherits for what they are: unknown, or the tool’s own', () => {
    expect(() => typed(ORDER, ['constructor=1'])).toThrow(refused(/has no argument "constructor"/));
    const odd = {
      name: 'odd',
      inputSchema: { type: 'object', properties: JSON.parse('{"__proto__": {"type": "integer"}}') },
    } as Tool;
    expect(Object.entries(typed(odd, ['__proto__=1']))).toEqual([['__proto__', 1]]);
  });
});
