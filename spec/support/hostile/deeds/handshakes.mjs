// Openings of a connection that are not as they should be.

const opening = (result) => () => {
  const say = ({ say: tell, answer }) => tell(answer(result));
  const refuse = ({ id, say: tell }) => tell({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
  return {
    discover: (turn) => (turn.era === 'modern' ? say(turn) : refuse(turn)),
    initialize: (turn) => (turn.era === 'legacy' ? say(turn) : refuse(turn)),
  };
};
const bothEras = (more) => opening({ protocolVersion: '2025-11-25', supportedVersions: ['2026-07-28'], ...more });
const refusal = (error) => () => {
  const say = ({ id, say: tell }) => tell({ jsonrpc: '2.0', id, error });
  return { discover: say, initialize: say };
};
const asking =
  (...requests) =>
  () => ({
    initialize: (turn) => {
      for (const request of requests) turn.say({ jsonrpc: '2.0', ...request });
      turn.say(turn.answer());
    },
  });

export const handshakes = {
  'opens with null': opening(null),
  'opens with nothing in its result': opening({}),
  'opens with a version nobody speaks': opening({ protocolVersion: '1999-01-01', supportedVersions: ['1999-01-01'] }),
  'opens with a version that is a number': opening({ protocolVersion: 7, supportedVersions: [7] }),
  'opens with versions that are a text': opening({ supportedVersions: '2026-07-28' }),
  'opens with capabilities that are none': bothEras({ capabilities: 'all of them' }),
  'opens with capabilities of null': bothEras({ capabilities: { tools: null, prompts: 7, resources: true } }),
  'opens with a serverInfo of nonsense': bothEras({
    capabilities: { tools: {} },
    serverInfo: { name: 7, version: null },
    instructions: { text: 'none' },
    _meta: 7,
  }),
  'refuses to open': refusal({ code: -32601, message: 'no' }),
  'refuses every version and names none': refusal({ code: -32022, message: 'no', data: { supported: 'none' } }),
  'refuses the version it names': refusal({ code: -32022, message: 'no', data: { supported: ['2026-07-28'] } }),
  'refuses to open with nonsense': refusal({ code: 'no' }),
  'asks before it has answered initialize': asking(
    { id: 's-1', method: 'ping' },
    { id: 's-2', method: 'roots/list' },
    { id: 's-3', method: 'sampling/createMessage', params: {} },
    { id: 1, method: 'enigma/solve' },
    { method: 'notifications/tools/list_changed' },
  ),
  'answers initialize twice': () => ({
    initialize: ({ say, answer }) => {
      say(answer());
      say(answer());
    },
  }),
  'refuses the word that it is initialized': () => ({
    initialized: ({ say }) => say({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'what?' } }),
  }),
  'never opens': () => ({ discover: () => undefined, initialize: () => undefined }),
};
