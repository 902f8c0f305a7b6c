// Results that are not as the protocol wants them, over either wire.
import { describe, expect, jest } from '@jest/globals';
import { overHttp } from '../support/hostile/over-http.js';
import { overStdio } from '../support/hostile/over-stdio.js';
import { called, fails, gives, INVALID, REPLIED, type Row } from '../support/hostile/rows.js';

jest.setTimeout(60_000);

const withText = (text: string): Row['outcome'] =>
  gives(expect.objectContaining({ content: [{ type: 'text', text }] }));
const anything = gives(expect.objectContaining({ content: expect.any(Array) }));
const modern = { eras: ['modern'] } as const;

/** Who is asked, of whom nobody is to be asked. */
let asked = 0;
const options: NonNullable<Row['options']> = {
  onElicit: () => {
    asked += 1;
    return { action: 'decline' };
  },
  onElicitUrl: () => {
    asked += 1;
    return { action: 'decline' };
  },
};
const unasked = { options, check: () => expect(asked).toBe(0) } as const;

/** What is no entry is left out. */
const odd = { warns: ['malformed-entry'] } as const;

/** Whoever fills in what no form asks for. */
const careless: NonNullable<Row['options']> = {
  onElicit: () => ({ action: 'accept', content: { nonsense: 1 } }),
};
/** By a form that nothing can be checked by: what would not fit never leaves. */
const byForm = (levels: string): Row => ({
  server: `asks by a form of ${levels} levels`,
  outcome: withText('"decline"'),
  options: careless,
  warns: ['hook-failed'],
});

const ROWS: readonly Row[] = [
  { server: 'gives null', outcome: INVALID },
  { server: 'gives a text', outcome: INVALID },
  { server: 'gives a list', outcome: INVALID },
  { server: 'gives a tool result without content', outcome: gives(expect.objectContaining({ content: [] })) },
  { server: 'gives content that is no list', outcome: INVALID },
  { server: 'gives content of nonsense', outcome: anything, ...odd },
  { server: 'gives content of nonsense', outcome: REPLIED, ask: called, ...odd },
  { server: 'gives content of nothing but null', outcome: gives(expect.objectContaining({ content: [] })), ...odd },
  { server: 'gives content of nothing but null', outcome: REPLIED, ask: called, ...odd },
  { server: 'gives isError as a text', outcome: gives(expect.not.objectContaining({ isError: 'no' })), ...odd },
  { server: 'gives isError as a text', outcome: REPLIED, ask: called, ...odd },
  { server: 'gives a task that nobody asked for', outcome: INVALID },
  {
    server: 'gives a task that nobody asked for',
    outcome: gives(expect.objectContaining({ tool_call_id: 'c1', is_error: true })),
    ask: called,
  },
  { server: 'gives 10 000 levels of JSON', outcome: anything },
  { server: 'gives 10 000 levels of JSON', outcome: REPLIED, ask: called },
  { server: 'gives content of 10 000 levels', outcome: anything },
  { server: 'gives content of 10 000 levels', outcome: REPLIED, ask: called },
  { server: 'gives duplicate keys', outcome: withText('the last') },
  { server: 'gives __proto__', outcome: anything },
  { server: 'gives __proto__', outcome: REPLIED, ask: called },
  { server: 'gives numbers beyond all bounds', outcome: anything },
  { server: 'gives numbers beyond all bounds', outcome: REPLIED, ask: called },
  { server: 'gives lone surrogates', outcome: withText('\ud800 \udc00') },
  { server: 'gives lone surrogates', outcome: REPLIED, ask: called },
  { server: 'gives escape sequences', outcome: withText('\u001b]0;owned\u0007\u0000') },
  { server: 'gives a resultType nobody knows', outcome: INVALID, ...modern },
  { server: 'gives a resultType nobody knows', outcome: anything, eras: ['legacy'] },
  { server: 'gives a resultType that is a number', outcome: INVALID, ...modern },
  { server: 'asks for input and says not for what', outcome: INVALID, ...modern },
  { server: 'asks for input with no question', outcome: INVALID, ...modern },
  { server: 'asks questions that are a list', outcome: INVALID, ...modern },
  { server: 'asks a question that is null', outcome: INVALID, ...modern },
  { server: 'asks a question without a method', outcome: INVALID, ...modern },
  { server: 'asks what is no question', outcome: INVALID, ...modern },
  { server: 'asks 20 000 questions at once', outcome: INVALID, ...unasked, ...modern },
  {
    server: 'refuses, for 20 000 URLs are to be opened before',
    outcome: fails('ProtocolError', { code: -32042 }),
    ...unasked,
    eras: ['legacy'],
  },
  { server: 'asks with a state that is a number', outcome: INVALID, ...modern },
  {
    server: 'asks for sampling that nobody does',
    outcome: fails('InputRefusedError', { keys: ['one'] }),
    ...modern,
  },
  { server: 'asks for ever', outcome: fails('InputLoopExceededError', { rounds: 8 }), ...modern },
  { server: 'asks for nothing for ever', outcome: fails('InputLoopExceededError', { rounds: 8 }), ...modern },
  { server: 'asks under the key __proto__', outcome: withText('{"__proto__":{"action":"decline"}}'), ...modern },
  // Nobody asks so in the legacy era: the result is one like any other.
  {
    server: 'asks for input with no question',
    outcome: gives(expect.objectContaining({ content: [] })),
    eras: ['legacy'],
  },
];

const FORMS: readonly Row[] = ['100', '10 000'].map(byForm);

describe('a result on a line of stdout', () => overStdio([...ROWS, ...FORMS]));
// In the legacy era what is asked is no result.
describe('a result as an event of a stream', () =>
  overHttp([...ROWS, ...FORMS.map((row): Row => ({ ...row, ...modern }))]));
