import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findResponseId } from '../../../src/transport/framing/index.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The id that is found when only `window` bytes of either end are at hand. */
const idIn = (text: string, window: number): unknown => {
  const whole = bytes(text);
  return findResponseId(whole.subarray(0, window), whole.subarray(Math.max(0, whole.length - window)));
};

const HUGE = 'x'.repeat(10_000);

describe('findResponseId', () => {
  it.each([
    ['an id before the result', `{"jsonrpc":"2.0","id":7,"result":{"text":"${HUGE}"}}`, 7],
    ['an id after the result', `{"result":{"text":"${HUGE}"},"jsonrpc":"2.0","id":7}`, 7],
    ['an id before an error', `{"id":0,"error":{"code":1,"message":"${HUGE}"}}`, 0],
    ['a text as id', `{"id":"a \\"b\\" \\\\","result":"${HUGE}"}`, 'a "b" \\'],
    ['a text as id at the end', `{"result":"${HUGE}","id":"a \\"b\\" \\\\" }`, 'a "b" \\'],
    ['an escaped name', `{"\\u0069d":3,"result":"${HUGE}"}`, 3],
    ['white space everywhere', ` \t{ "id" : 12 ,\r"result" : [ "${HUGE}" ] } \r`, 12],
    ['white space everywhere, at the end', `{"result" : [ "${HUGE}" ] , "id" : 12 } \r`, 12],
    ['a byte order mark', `\uFEFF{"id":5,"result":"${HUGE}"}`, 5],
    ['the later one of two ids', `{"id":5,"result":"${HUGE}","id":6}`, 6],
    ['an id after a result whose last member is nested', `{"result":{"a":"${HUGE}","b":[{}]},"id":6}`, 6],
  ])('finds %s where its ends tell', (_name, text, id) => {
    expect(idIn(text, 200)).toBe(id);
  });

  it.each([
    ['nested in a result at the start', `{"result":{"id":7,"text":"${HUGE}"}}`],
    ['nested in a result at the end', `{"result":{"text":"${HUGE}","id":7}}`],
    ['in a text at the start', `{"result":"\\",\\"id\\":7,${HUGE}"}`],
    ['in a text at the end', `{"result":"${HUGE}\\",\\"id\\":7}"}`],
    ['in a text that looks like the end of the message', `{"result":"${HUGE}","a":"\\",\\"id\\":7}"}`],
    ['of a request', `{"id":7,"method":"sampling/createMessage","params":{"text":"${HUGE}"}}`],
    ['of a request whose method stands at the end', `{"id":7,"params":{"text":"${HUGE}"},"method":"ping"}`],
    ['of a message that is neither', `{"id":7,"params":{"text":"${HUGE}"}}`],
    ['of one message in a batch', `[{"id":7,"result":"${HUGE}"}]`],
    ['between two huge members', `{"a":"${HUGE}","id":7,"result":"${HUGE}"}`],
    ['that is null', `{"id":null,"result":"${HUGE}"}`],
    ['that is no integer', `{"id":1.5,"result":"${HUGE}"}`],
    ['that is an object', `{"id":{"id":7},"result":"${HUGE}"}`],
    ['of what is no JSON', `the "id":7,"result":${HUGE},"id":7}`],
    ['of what only begins as JSON', `{"id" 7,"result":${HUGE}`],
  ])('does not take an id %s', (_name, text) => {
    expect(idIn(text, 200)).toBeUndefined();
  });

  it('does not take the first digits of a number that the window cuts', () => {
    const text = `{"result":0,"id":123456,"more":"${HUGE}"}`;
    for (let window = 1; window < 60; window += 1) expect([undefined, 123_456]).toContain(idIn(text, window));
    const atTheEnd = `{"more":"${HUGE}","result":0,"id":123456}`;
    for (let window = 1; window < 60; window += 1) expect([undefined, 123_456]).toContain(idIn(atTheEnd, window));
  });

  it('does not take a text that the window cuts behind a backslash', () => {
    const text = `{"result":"${HUGE}","id":"\\\\\\"a\\\\"}`;
    for (let window = 1; window < 60; window += 1) expect([undefined, '\\"a\\']).toContain(idIn(text, window));
  });

  it('finds nothing in nothing', () => {
    expect(findResponseId(bytes(''), bytes(''))).toBeUndefined();
    expect(idIn('{', 1)).toBeUndefined();
    expect(idIn('{}', 2)).toBeUndefined();
    expect(idIn('}', 1)).toBeUndefined();
  });

  it('finds the id JSON.parse finds, or none, for any response and any window', () => {
    const text = fc.string({
      unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', 'id', '7', ' ', 'é', '\n'),
    });
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ depthSize: 'small' }, text, fc.integer(), fc.constant(null), tie('object'), tie('array')),
      object: fc.dictionary(fc.oneof(text, fc.constantFrom('id', 'result', 'method')), tie('any')),
      array: fc.array(tie('any')),
    })).any;
    const id = fc.oneof(fc.integer(), text, fc.constant(null));
    const name = fc.oneof(text, fc.constantFrom('id', 'result', 'error', 'method', 'jsonrpc'));
    const message = fc.uniqueArray(fc.tuple(name, value, id), { selector: ([key]) => key, maxLength: 6 });
    fc.assert(
      fc.property(message, fc.boolean(), fc.nat(300), (members, indented, window) => {
        const entries = members.map(([key, any, own]) => [key, key === 'id' ? own : any] as const);
        const object = Object.fromEntries(entries) as Record<string, unknown>;
        const line = JSON.stringify(object, null, indented ? '\t' : undefined);
        const found = idIn(line, window);
        if (found !== undefined) expect(found).toBe(object['id']);
        const isResponse = ('result' in object || 'error' in object) && !('method' in object);
        const isId = typeof object['id'] === 'string' || Number.isInteger(object['id']);
        // With all of it in view nothing is missed and nothing made up.
        expect(idIn(line, line.length * 3)).toBe(isResponse && isId ? object['id'] : undefined);
      }),
      { numRuns: 2_000 },
    );
  });
});
