import { describe, expect, it } from '@jest/globals';
import { answersTo, readSuspended, suspend } from '../../src/protocol/suspended.js';
import { thrownBy } from '../support/client/watch.js';

const PARAMS = { name: 't', arguments: { a: 1 } };
const SUSPENDED = { suspended: 1, method: 'tools/call', params: PARAMS, keys: ['a', 'b'], requestState: 's' } as const;

describe('suspend()', () => {
  it('keeps what is needed to carry on, as plain JSON, and not the questions', () => {
    const questions = [
      { key: 'a', method: 'elicitation/create', params: { message: 'm' } },
      { key: 'b', method: 'roots/list', params: undefined },
    ] as const;
    const suspended = suspend(PARAMS, { questions, requestState: 's' });
    expect(suspended).toEqual(SUSPENDED);
    expect(readSuspended(JSON.parse(JSON.stringify(suspended)))).toEqual(suspended);
  });

  it('has no state where the server gave none, and keeps one that is empty', () => {
    const bare = suspend(PARAMS, { questions: [], requestState: undefined });
    expect(bare).toEqual({ suspended: 1, method: 'tools/call', params: PARAMS, keys: [] });
    expect(Object.keys(bare)).not.toContain('requestState');
    expect(readSuspended(bare)).toBe(bare);
    expect(suspend(PARAMS, { questions: [], requestState: '' })).toMatchObject({ requestState: '' });
  });
});

describe('readSuspended()', () => {
  it.each([
    undefined,
    null,
    'text',
    [],
    {},
    { ...SUSPENDED, suspended: 2 },
    { ...SUSPENDED, method: 'prompts/get' },
    { ...SUSPENDED, params: [] },
    { ...SUSPENDED, params: undefined },
    { ...SUSPENDED, keys: 'a' },
    { ...SUSPENDED, keys: ['a', 1] },
    { ...SUSPENDED, requestState: 5 },
    { ...SUSPENDED, requestState: null },
  ])('refuses %j', (value) => {
    expect(thrownBy(() => readSuspended(value))).toMatchObject({ name: 'OptionError', option: 'resume' });
  });
});

describe('answersTo()', () => {
  it('is a retry with an answer for each key, and the state exactly as it was', () => {
    const answers = { b: { roots: [] }, a: { action: 'decline' } };
    expect(answersTo(SUSPENDED, answers)).toEqual({ inputResponses: answers, requestState: 's' });
  });

  it('leaves out what nobody asked for', () => {
    const { inputResponses } = answersTo(SUSPENDED, { a: {}, b: {}, c: {} });
    expect(inputResponses).toEqual({ a: {}, b: {} });
  });

  it('has no answers where nothing was asked, and no state where there was none', () => {
    expect(answersTo({ ...SUSPENDED, keys: [] }, {})).toEqual({ requestState: 's' });
    const { requestState: _state, ...stateless } = SUSPENDED;
    expect(Object.keys(answersTo(stateless, { a: {}, b: {} }))).toEqual(['inputResponses']);
  });

  it('answers under keys such as __proto__ or constructor', () => {
    const suspended = { ...SUSPENDED, keys: ['__proto__', 'constructor'] };
    const answers = JSON.parse('{"__proto__":{"roots":[]},"constructor":{"roots":[]}}') as Record<string, unknown>;
    expect(JSON.stringify(answersTo(suspended, answers).inputResponses)).toBe(JSON.stringify(answers));
    for (const key of suspended.keys) {
      const thrown = thrownBy(() => answersTo({ ...SUSPENDED, keys: [key] }, {}));
      expect(thrown).toMatchObject({ name: 'OptionError', option: 'answers' });
    }
  });

  it.each([
    [{ a: {} }, '"b"'],
    [{ a: {}, b: undefined }, '"b"'],
    [{ a: 'yes', b: {} }, '"a"'],
    [{ a: [], b: {} }, '"a"'],
  ])('refuses %j, and names the key that has no answer', (answers, key) => {
    const thrown = thrownBy(() => answersTo(SUSPENDED, answers));
    expect(thrown).toMatchObject({ name: 'OptionError', option: 'answers' });
    expect((thrown as Error).message).toContain(`no answer for ${key}`);
  });

  it.each([undefined, null, [], 'yes'])('refuses %j in place of answers', (answers) => {
    expect(thrownBy(() => answersTo(SUSPENDED, answers))).toMatchObject({ name: 'OptionError', option: 'answers' });
  });
});
