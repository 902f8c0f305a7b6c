/**
 * The peer that every transport is tried against. `wire.say(text)` puts one message on the wire, as text;
 * `wire.die()` ends the wire from the peer's side. Returns what the peer does with each message it gets.
 */
export const createEchoPeer = (wire) => {
  const seen = [];
  return (message) => {
    seen.push(message.method);
    const answer = (result) => wire.say(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    if (message.method === 'x-test/echo') answer({ echo: message });
    if (message.method === 'x-test/seen') answer({ seen });
    if (message.method === 'x-test/say') for (const text of message.params.texts) wire.say(text);
    if (message.method === 'x-test/die') wire.die();
  };
};
