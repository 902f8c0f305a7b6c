// Answers that are not as JSON-RPC wants them.

const call = (deed) => () => ({ call: deed });
const bare = (members) => call(({ id, say }) => say({ jsonrpc: '2.0', id, ...members }));

const outOfOrder = () => {
  const waiting = [];
  return {
    call: ({ say, answer, request }) =>
      new Promise((resolve) => {
        const { n } = request.params.arguments;
        waiting.unshift(() => {
          say(answer({ content: [{ type: 'text', text: `call ${n}` }] }));
          resolve();
        });
        if (waiting.length === 3) for (const one of waiting) one();
      }),
  };
};

export const answers = {
  'answers twice': call(({ say, answer }) => {
    say(answer());
    say(answer());
  }),
  'answers twice, first with an error': call(({ id, say, answer }) => {
    say({ jsonrpc: '2.0', id, error: { code: -32603, message: 'first' } });
    say(answer());
  }),
  'answers an id that was never asked, then the right one': call(({ say, answer }) => {
    say({ ...answer(), id: 999_999 });
    say(answer());
  }),
  'answers with the id as a string': call(({ id, say, answer }) => say({ ...answer(), id: String(id) })),
  'answers with the id null': call(({ say, answer }) => say({ ...answer(), id: null })),
  'answers with the id as a fraction': call(({ id, say, answer }) => say({ ...answer(), id: id + 0.5 })),
  'answers without an id': call(({ say, answer }) => say({ ...answer(), id: undefined })),
  'answers with an error without an id': call(({ say }) =>
    say({ jsonrpc: '2.0', error: { code: -32700, message: 'unread' } }),
  ),
  'answers the next request before it was made': call(({ id, say, answer }) => {
    say({ ...answer({ content: [{ type: 'text', text: 'too early' }] }), id: id + 1 });
    say(answer());
  }),
  'answers three calls in the wrong order': outOfOrder,
  'answers with neither result nor error': bare({}),
  'answers with both result and error': bare({ result: {}, error: { code: 1, message: 'both' } }),
  'answers with a null error alone': bare({ error: null }),
  'answers with an error without a code': bare({ error: { message: 'no code' } }),
  'answers with an error whose code is a text': bare({ error: { code: '-32603', message: 'text' } }),
  'answers with an error without a message': bare({ error: { code: -32050 } }),
  'answers that it does not support the version, and names none that it does': bare({
    error: { code: -32022, message: 'Unsupported protocol version' },
  }),
  'answers with an error that is a text': bare({ error: 'sorry' }),
  'answers without jsonrpc': call(({ say, answer }) => say({ ...answer(), jsonrpc: undefined })),
  'answers with jsonrpc 1.0': call(({ say, answer }) => say({ ...answer(), jsonrpc: '1.0' })),
  'answers with a method beside the result': call(({ say, answer }) => say({ ...answer(), method: 'tools/call' })),
  'marks its own answer as invalid': call(({ say, answer }) => say({ ...answer(), invalid: 'ha', error: undefined })),
  'never answers': call(() => undefined),
};
