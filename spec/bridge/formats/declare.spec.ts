import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { declare, LLM_FORMATS } from '../../../src/bridge/formats/index.js';
import type { Tool } from '../../../src/index.js';
import { LARGE_TOOLS, NO_TOOLS, ODD_TOOLS, oddList } from '../support/odd-tools.js';

const tool = (name: string, more: object = {}): Tool => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
  ...more,
});

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } };

describe('the declarations of tools', () => {
  it('have the shape of an OpenAI chat completion', () => {
    expect(declare([tool('b'), tool('a')], 'openai').declarations).toEqual([
      { type: 'function', function: { name: 'a', description: 'Does a', parameters: SCHEMA } },
      { type: 'function', function: { name: 'b', description: 'Does b', parameters: SCHEMA } },
    ]);
  });

  it('have the shape of an OpenAI response, not strict', () => {
    expect(declare([tool('a')], 'openai-responses').declarations).toEqual([
      { type: 'function', name: 'a', description: 'Does a', parameters: SCHEMA, strict: false },
    ]);
  });

  it('have no description where there is none', () => {
    const bare = tool('a', { description: undefined });
    const made = LLM_FORMATS.map((format) => declare([bare], format).declarations);
    expect(declare([bare], 'openai').changes).toEqual([]);
    expect(JSON.parse(JSON.stringify(made))).toEqual([
      [{ type: 'function', function: { name: 'a', parameters: SCHEMA } }],
      [{ type: 'function', name: 'a', parameters: SCHEMA, strict: false }],
      [{ name: 'a', input_schema: SCHEMA }],
      [{ functionDeclarations: [{ name: 'a', parametersJsonSchema: SCHEMA }] }],
      { a: { inputSchema: { jsonSchema: SCHEMA } } },
    ]);
    const [chat] = declare([bare], 'openai').declarations;
    const [response] = declare([bare], 'openai-responses').declarations;
    for (const one of [chat?.function, response]) expect(one).not.toHaveProperty('description');
  });

  it.each(['anthropic', 'ai-sdk'] as const)('have only arguments whose whole names are legal: %s', (format) => {
    const names = ['a', 'A.b_c-9', 'x'.repeat(64), 'x'.repeat(65), ' a', 'a ', 'a b', 'ü'];
    const properties = Object.fromEntries(names.map((name) => [name, {}]));
    const text = JSON.stringify(
      declare([tool('t', { inputSchema: { type: 'object', properties } })], format).declarations,
    );
    expect(names.filter((name) => text.includes(JSON.stringify(name)))).toEqual(names.slice(0, 3));
  });

  it('have names that Gemini takes, from the first character to the last', () => {
    const names = ['a', '_', 'a9', 'a_b-c', 'x'.repeat(63), '9a', '-a', 'x'.repeat(64), 'a b', 'a.b', 'ab ', ' ab'];
    const kept = names.filter((name) => declare([tool(name)], 'gemini').names.published(name) === name);
    expect(kept).toEqual(names.slice(0, 5));
  });

  it('have the shape of an Anthropic message', () => {
    expect(declare([tool('a')], 'anthropic').declarations).toEqual([
      { name: 'a', description: 'Does a', input_schema: SCHEMA },
    ]);
  });

  it('have the shape of a Gemini request: one entry, and none without tools', () => {
    expect(declare([tool('a'), tool('b')], 'gemini').declarations).toEqual([
      {
        functionDeclarations: [
          { name: 'a', description: 'Does a', parametersJsonSchema: SCHEMA },
          { name: 'b', description: 'Does b', parametersJsonSchema: SCHEMA },
        ],
      },
    ]);
    expect(declare([], 'gemini').declarations).toEqual([]);
  });

  it('have the shape of a tool set of the AI SDK, with schemas that it takes for its own', () => {
    const { declarations } = declare([tool('a')], 'ai-sdk');
    expect(JSON.parse(JSON.stringify(declarations))).toEqual({
      a: { description: 'Does a', inputSchema: { jsonSchema: SCHEMA } },
    });
    const schema = declarations['a']?.inputSchema;
    expect(Reflect.get(schema ?? {}, Symbol.for('vercel.ai.schema'))).toBe(true);
    expect(schema).toHaveProperty('validate', undefined);
    expect(schema?.['~standard'].validate(5)).toEqual({ value: 5 });
    expect(schema?.['~standard'].jsonSchema.input()).toEqual(SCHEMA);
    expect(schema?.['~standard'].jsonSchema.output()).toEqual(SCHEMA);
  });

  it.each(LLM_FORMATS)('are sorted by published name, and the same bytes in any order of the list: %s', (format) => {
    const all = oddList().filter((one) => !LARGE_TOOLS.has(one));
    const expected = JSON.stringify(declare(all, format).declarations);
    fc.assert(
      fc.property(fc.shuffledSubarray([...all.keys()], { minLength: all.length }), (order) => {
        const shuffled = order.map((index) => all[index] as Tool);
        expect(JSON.stringify(declare(shuffled, format).declarations)).toBe(expected);
      }),
      { numRuns: 5 },
    );
  });

  it('are sorted by code unit, whatever the language of the machine', () => {
    const names = ['b', 'B', '_', 'a', '-', '1'];
    const { declarations } = declare(
      names.map((name) => tool(name)),
      'anthropic',
    );
    expect(declarations.map(({ name }) => name)).toEqual(['-', '1', 'B', '_', 'a', 'b']);
  });

  it('say what a tool does in the best words there are', () => {
    const described = (more: object): string | undefined =>
      declare([tool('a', { description: undefined, ...more })], 'anthropic').declarations[0]?.description;
    expect(described({ description: 'D', title: 'T', annotations: { title: 'A' } })).toBe('D');
    expect(described({ description: ' ', title: 'T', annotations: { title: 'A' } })).toBe('T');
    expect(described({ annotations: { title: 'A' } })).toBe('A');
    expect(declare([tool('a', { description: '' })], 'anthropic').declarations[0]).not.toHaveProperty('description');
  });
});

describe('a description that is longer than OpenAI takes', () => {
  const long = `${'x'.repeat(1_020)}\u{1f600}${'y'.repeat(200)}`;
  const cut = { tool: 'a', path: '/description', action: 'changed', reason: expect.stringContaining('1024') };

  it('is cut, and whole at the root of the schema', () => {
    const parameters = { ...SCHEMA, description: long };
    const description = `${'x'.repeat(1_020)}...`;
    const { declarations, changes } = declare([tool('a', { description: long })], 'openai');
    expect(declarations).toEqual([{ type: 'function', function: { name: 'a', description, parameters } }]);
    expect(changes).toEqual([cut]);
    const responses = declare([tool('a', { description: long })], 'openai-responses');
    expect(responses.declarations).toEqual([{ type: 'function', name: 'a', description, parameters, strict: false }]);
    expect(responses.changes).toEqual([cut]);
  });

  it('leaves the description that the schema has', () => {
    const inputSchema = { ...SCHEMA, description: 'The own one' };
    const { declarations, changes } = declare([tool('a', { description: 'z'.repeat(1_025), inputSchema })], 'openai');
    expect(declarations[0]?.function).toMatchObject({
      description: `${'z'.repeat(1_021)}...`,
      parameters: { description: 'The own one' },
    });
    expect(changes).toEqual([cut]);
  });

  it('may be a title', () => {
    const { declarations } = declare([tool('a', { description: '', title: long })], 'openai');
    expect(declarations[0]?.function).toMatchObject({ parameters: { description: long } });
  });

  it('stays where it is just short enough, and for everybody else', () => {
    const fits = tool('a', { description: 'z'.repeat(1_024) });
    for (const format of LLM_FORMATS) expect(declare([fits], format).changes).toEqual([]);
    for (const format of ['anthropic', 'gemini', 'ai-sdk'] as const) {
      const { declarations, changes } = declare([tool('a', { description: long })], format);
      expect([JSON.stringify(declarations).includes(JSON.stringify(long)), changes]).toEqual([true, []]);
    }
  });
});

describe('a tool that cannot be declared as it is', () => {
  it('costs the others nothing: what is no tool is left out, the rest is there', () => {
    for (const format of LLM_FORMATS) {
      const { changes, names } = declare(oddList(), format);
      const kept = new Set(ODD_TOOLS.map((odd) => (odd as Tool).name));
      for (const name of kept) expect(names.raw(names.published(name) ?? '')).toBe(name);
      expect(changes.filter((change) => change.tool === '')).toHaveLength(NO_TOOLS.length);
    }
    expect(declare(NO_TOOLS as readonly Tool[], 'anthropic')).toMatchObject({
      declarations: [],
      changes: [
        { tool: '', path: '', action: 'dropped', reason: 'it is no object' },
        { reason: 'it is no object' },
        { reason: 'it is no object' },
        { reason: 'it has no name' },
        { reason: 'it has no name' },
        { reason: 'it has no name' },
        { reason: 'it cannot be read: no name today' },
        { reason: 'it cannot be read: nothing today' },
      ],
    });
  });

  it('is left out where it only runs as a task, and the report says so', () => {
    const tools = ['required', 'optional', 'forbidden'].map((taskSupport) =>
      tool(taskSupport, { execution: { taskSupport } }),
    );
    const { declarations, changes } = declare([...tools, tool('none', { execution: {} })], 'anthropic');
    expect(declarations.map(({ name }) => name)).toEqual(['forbidden', 'none', 'optional']);
    expect(changes).toEqual([
      { tool: 'required', path: '', action: 'dropped', reason: 'it only runs as a task, and no call can run it' },
    ]);
  });

  it('is published under another name, and the report says so', () => {
    const { declarations, changes, names } = declare([tool('admin.users')], 'anthropic');
    expect(declarations[0]?.name).toBe('admin_users');
    expect(changes).toEqual([
      { tool: 'admin.users', path: '/name', action: 'changed', reason: 'it is published as "admin_users"' },
    ]);
    expect(names.raw('admin_users')).toBe('admin.users');
  });

  it('loses a description that is no text, and half characters', () => {
    const { declarations, changes } = declare([tool('a', { description: 5, title: 'x\ud83d' })], 'anthropic');
    expect(declarations[0]?.description).toBe('x\ufffd');
    expect(changes.map(({ path, action, reason }) => `${action} ${path}: ${reason}`)).toEqual([
      'dropped /description: it is no text',
      'changed /description: half a character was left over in it',
    ]);
  });

  it('is declared once where there are several of its name', () => {
    const [one, other] = [tool('a', { description: 'long one' }), tool('a', { description: 'b' })];
    const { declarations, changes } = declare([one, other], 'anthropic');
    expect(declarations.map(({ description }) => description)).toEqual(['b']);
    expect(declare([other, one], 'anthropic').declarations).toEqual(declarations);
    expect(changes).toEqual([
      { tool: 'a', path: '', action: 'dropped', reason: 'of 2 tools of this name one is left' },
    ]);
  });

  it('leaves a report that points into the tool', () => {
    const inputSchema = { type: 'object', properties: { 'a/b~c': { type: 'any' } } };
    expect(declare([tool('a', { inputSchema })], 'openai').changes).toEqual([
      {
        tool: 'a',
        path: '/inputSchema/properties/a~1b~0c/type',
        action: 'dropped',
        reason: 'JSON Schema has something else there',
      },
    ]);
  });

  it('is not touched', () => {
    const tools = [tool('a.b'), tool('a/b', { inputSchema: { anyOf: [{}] } })];
    const before = JSON.stringify(tools);
    for (const format of LLM_FORMATS) declare(tools, format);
    expect(JSON.stringify(tools)).toBe(before);
  });
});
