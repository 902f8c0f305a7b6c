// Messages beside the answer: requests and notifications nobody wants.

const notice = (method, params) => ({ jsonrpc: '2.0', method, params });
const progress = (params) => notice('notifications/progress', params);
const tokenOf = ({ request }) => request.params._meta?.progressToken;

/** Says this, then answers. */
const first = (deed) => () => ({
  call: (turn) => {
    for (const message of deed(turn)) turn.say(message);
    turn.say(turn.answer());
  },
});
const LONG = 'x'.repeat(1_000_000);
const many = (count, make) => Array.from({ length: count }, (_, n) => make(n));

export const messages = {
  'says junk before the answer': first(() => ['no JSON', '{"a":', '[1,2', '42', 'null', '"text"', 'true', '{}']),
  'says NaN where a result should be': () => ({
    call: ({ id, say }) => say(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"n":NaN}}`),
  }),
  'says 100 000 open brackets': first(() => ['['.repeat(100_000)]),
  'says 100 000 levels of lists': first(() => [`${'['.repeat(100_000)}${']'.repeat(100_000)}`]),
  'says the answer in a batch': () => ({
    call: ({ say, answer }) => say([notice('notifications/x'), 7, answer()]),
  }),
  'says an empty batch': first(() => ['[]']),
  'says a batch in a batch': first(({ answer }) => [[[answer()]]]),
  'says a batch of 10 001 messages': first(() => [many(10_001, () => notice('x'))]),
  'asks for a method nobody has': first(() => [{ jsonrpc: '2.0', id: 's-1', method: 'enigma/solve' }]),
  'asks with the id of the call it is to answer': first(({ id }) => [{ jsonrpc: '2.0', id, method: 'enigma/solve' }]),
  'asks with the id null': first(() => [{ jsonrpc: '2.0', id: null, method: 'ping' }]),
  'asks for params that are a list': first(() => [{ jsonrpc: '2.0', id: 's-1', method: 'ping', params: [1] }]),
  'asks for sampling without having been allowed': first(() => [
    { jsonrpc: '2.0', id: 's-1', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
  ]),
  'asks the same id twice': first(() => many(2, () => ({ jsonrpc: '2.0', id: 's-1', method: 'ping' }))),
  'asks 1 000 times at once': first(() => many(1_000, (n) => ({ jsonrpc: '2.0', id: `s-${n}`, method: 'ping' }))),
  'asks for sampling 90 times at once': first(() =>
    many(90, (n) => ({
      ...{ jsonrpc: '2.0', id: `s-${n}`, method: 'sampling/createMessage' },
      params: { messages: [], maxTokens: 1 },
    })),
  ),
  'asks by a method of a million letters': first(() => [{ jsonrpc: '2.0', id: 's-1', method: LONG }]),
  'asks with an id of a million letters': first(() => [{ jsonrpc: '2.0', id: LONG, method: 'ping' }]),
  'answers an id of a million letters': first(() => [{ jsonrpc: '2.0', id: LONG, result: {} }]),
  'asks by the method __proto__': first(() => [{ jsonrpc: '2.0', id: 's-1', method: '__proto__' }]),
  'tells progress for a token that was never given': first(() => [progress({ progressToken: 'who', progress: 1 })]),
  'tells progress after the answer': () => ({
    call: (turn) => {
      turn.say(turn.answer());
      turn.say(progress({ progressToken: tokenOf(turn), progress: 9 }));
    },
  }),
  'tells progress that goes backwards': first((turn) =>
    [5, 3, -1].map((n) => progress({ progressToken: tokenOf(turn), progress: n, total: 2 })),
  ),
  'tells progress of no number': first((turn) => [
    progress({ progressToken: tokenOf(turn), progress: 'half' }),
    progress({ progressToken: tokenOf(turn) }),
    progress({ progressToken: { a: 1 }, progress: 1 }),
    progress(undefined),
    { jsonrpc: '2.0', method: 'notifications/progress', params: null },
    progress({ progressToken: tokenOf(turn), progress: 1, total: 'x', message: 7 }),
  ]),
  'tells progress beyond all numbers': () => ({
    call: (turn) => {
      const token = JSON.stringify(tokenOf(turn));
      for (const numbers of ['"progress":1e999', '"progress":-1e999', '"progress":1,"total":1e999'])
        turn.say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},${numbers}}}`);
      turn.say(turn.answer());
    },
  }),
  'tells progress for ever': () => ({
    call: (turn) =>
      new Promise((resolve) => {
        const timer = setInterval(() => turn.say(progress({ progressToken: tokenOf(turn), progress: 1 })), 5);
        turn.closed?.then(() => {
          clearInterval(timer);
          resolve();
        });
      }),
  }),
  'tells logs of no level and circular nonsense': first(() => [
    notice('notifications/message', { level: 'shout', data: 1 }),
    notice('notifications/message', { level: 'constructor', data: 1 }),
    notice('notifications/message'),
    notice('notifications/message', { level: 'info', logger: 7 }),
  ]),
  'tells that the call was cancelled': first(({ id }) => [notice('notifications/cancelled', { requestId: id })]),
  'tells that what was never asked is cancelled': first(() => [
    notice('notifications/cancelled', { requestId: 'who' }),
    notice('notifications/cancelled', { requestId: null }),
    notice('notifications/cancelled'),
  ]),
  'tells 5 000 changes of its list': first(() => many(5_000, () => notice('notifications/tools/list_changed'))),
  'tells of 6 000 resources that were updated': first(() =>
    many(6_000, (n) => notice('notifications/resources/updated', { uri: `file:///${n}` })),
  ),
  'tells 2 000 changes before it has acknowledged that it will': () => ({
    listen: ({ id, say }) => {
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
      for (let n = 0; n < 2_000; n += 1) say(notice('notifications/tools/list_changed', { _meta }));
    },
  }),
  'tells 5 000 000 characters before it has acknowledged that it will': () => ({
    listen: ({ id, say }) => {
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
      for (let n = 0; n < 5; n += 1) say(notice('notifications/tools/list_changed', { _meta, LONG }));
    },
  }),
  'tells of subscriptions there are not': first(({ id }) => [
    notice('notifications/subscriptions/acknowledged', { _meta: { 'io.modelcontextprotocol/subscriptionId': 'who' } }),
    notice('notifications/subscriptions/acknowledged', { _meta: { 'io.modelcontextprotocol/subscriptionId': id } }),
    notice('notifications/subscriptions/acknowledged', { _meta: null }),
    notice('notifications/resources/updated', { _meta: 7, uri: 7 }),
    notice('notifications/elicitation/complete', { elicitationId: 'who' }),
  ]),
  'tells by a method that is a number': first(() => [{ jsonrpc: '2.0', method: 7 }]),
  'tells by a method of a million letters': first(() => [notice(LONG)]),
  'tells with params that are a list': first(() => [notice('notifications/x', [1])]),
};
