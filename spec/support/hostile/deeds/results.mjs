// Results that are not as the protocol wants them.

const result = (value) => () => ({ call: ({ say, answer }) => say(answer(value)) });
const json = (text) => () => ({
  call: ({ id, say }) => say(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`),
});
const nested = (depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const asking = (inputRequests, more = {}) => result({ resultType: 'input_required', inputRequests, ...more });
/** What is large is made where it is played: each server loads all deeds, and plays one. */
const large = (make) => () => make()();
const elicitation = {
  method: 'elicitation/create',
  params: { message: '?', requestedSchema: { type: 'object', properties: {} } },
};

/** Asks by a form of that many levels, and answers with what it was told. */
const askingByForm = (depth) => () => {
  const fields = `{"email":{"type":"string"},"deep":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
  const params = `{"message":"?","requestedSchema":{"type":"object","required":["email"],"properties":${fields}}}`;
  const told = (answer, what) => answer({ content: [{ type: 'text', text: JSON.stringify(what.action) }] });
  let legacy;
  return {
    call: ({ era, id, say, answer, request }) => {
      const { inputResponses } = request.params;
      if (inputResponses !== undefined) return say(told(answer, inputResponses.one));
      legacy = answer;
      return era === 'legacy'
        ? say(`{"jsonrpc":"2.0","id":"s-1","method":"elicitation/create","params":${params}}`)
        : say(
            `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required","inputRequests":{"one":{"method":"elicitation/create","params":${params}}}}}`,
          );
    },
    answered: ({ say, request }) => say(told(legacy, request.result)),
  };
};

export const results = {
  'asks by a form of 100 levels': askingByForm(100),
  'asks by a form of 10 000 levels': askingByForm(10_000),
  'gives null': result(null),
  'gives a text': result('done'),
  'gives a list': result([{ type: 'text', text: 'done' }]),
  'gives a tool result without content': result({}),
  'gives content that is no list': result({ content: 'done' }),
  'gives content of nonsense': result({
    content: [
      null,
      7,
      'text',
      [],
      {},
      { type: 7 },
      { type: 'text' },
      { type: 'text', text: {} },
      { type: 'image', data: 5 },
      { type: 'audio' },
      { type: 'resource', resource: null },
      { type: 'resource' },
      { type: 'resource_link' },
      { type: '__proto__' },
      { type: 'constructor' },
    ],
  }),
  'gives content of nothing but null': result({ content: [null, null] }),
  'gives a task that nobody asked for': () => ({
    call: ({ say, answer, era }) =>
      say(
        answer({
          ...(era === 'modern' ? { resultType: 'task' } : undefined),
          task: { taskId: '1', status: 'working', ttl: 1 },
        }),
      ),
  }),
  'gives isError as a text': result({ content: [{ type: 'text', text: 'x' }], isError: 'no' }),
  'gives 10 000 levels of JSON': large(() => json(`{"content":[],"structuredContent":{"deep":${nested(10_000)}}}`)),
  'gives content of 10 000 levels': large(() => json(`{"content":[{"type":"other","deep":${nested(10_000)}}]}`)),
  'gives duplicate keys': json('{"content":[],"content":[{"type":"text","text":"the last"}]}'),
  'gives __proto__': json(
    '{"content":[],"__proto__":{"polluted":1},"structuredContent":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
  ),
  'gives numbers beyond all bounds': json(
    '{"content":[],"structuredContent":{"large":1e999,"small":1e-999,"long":123456789012345678901234567890}}',
  ),
  'gives lone surrogates': json('{"content":[{"type":"text","text":"\\ud800 \\udc00"}]}'),
  'gives escape sequences': json('{"content":[{"type":"text","text":"\\u001b]0;owned\\u0007\\u0000"}]}'),
  'gives a resultType nobody knows': result({ resultType: 'enigma', content: [] }),
  'gives a resultType that is a number': result({ resultType: 7, content: [] }),
  'asks for input and says not for what': asking(undefined),
  'asks for input with no question': asking({}),
  'asks questions that are a list': asking([elicitation]),
  'asks a question that is null': asking({ one: null }),
  'asks a question without a method': asking({ one: {} }),
  'asks what is no question': asking({ one: { method: 'tools/call', params: { name: 'greet' } } }),
  'asks without params': asking({ one: { method: 'elicitation/create' } }),
  'asks for sampling that nobody does': asking({
    one: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
  }),
  'asks 20 000 questions at once': large(() =>
    asking(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`q${n}`, elicitation]))),
  ),
  'refuses, for 20 000 URLs are to be opened before': () => ({
    call: ({ id, say }) => {
      const elicitations = Array.from({ length: 20_000 }, (_, n) => ({
        elicitationId: `e${n}`,
        message: '?',
        url: 'https://a.example/',
      }));
      say({ jsonrpc: '2.0', id, error: { code: -32042, message: 'no', data: { elicitations } } });
    },
  }),
  'asks with a state that is a number': asking(undefined, { requestState: 7 }),
  'asks for ever': asking({ one: elicitation }, { requestState: 'again' }),
  'asks for nothing for ever': asking(undefined, { requestState: 'again' }),
  'asks under the key __proto__': () => ({
    call: ({ id, say, answer, request }) => {
      const { inputResponses } = request.params;
      if (inputResponses !== undefined)
        return say(answer({ content: [{ type: 'text', text: JSON.stringify(inputResponses) }] }));
      const question = JSON.stringify(elicitation);
      return say(
        `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required","inputRequests":{"__proto__":${question}}}}`,
      );
    },
  }),
};
