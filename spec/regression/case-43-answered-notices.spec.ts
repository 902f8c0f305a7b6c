import { describe, expect, it } from '@jest/globals';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { watch } from '../support/client/watch.js';

describe('case 43: a server that answers notifications', () => {
  it('with messages without an id gives a warning each, and the calls go on', async () => {
    const answer = (text: string) => () => {
      server.pushRaw(text);
    };
    const server: ScriptedTransport = scriptedTransport(
      {
        'notifications/initialized': answer('{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"}}'),
        'notifications/cancelled': answer('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"what?"}}'),
        'tools/list': { tools: [] },
        'tools/call': scriptedTransport.silence,
      },
      { era: 'legacy' },
    );
    const client = connect(server, { era: 'legacy' });
    const warnings = watch(client.warnings$).values;
    expect(await client.promises.era()).toBe('legacy');
    expect(warnings.map(({ kind }) => kind)).toEqual(['unmatched-answer']);
    watch(client.callTool('t')).subscription.unsubscribe();
    expect(warnings.map(({ kind }) => kind)).toEqual(['unmatched-answer', 'unmatched-answer']);
    server.pushRaw('{"jsonrpc":"2.0","result":{}}');
    expect(warnings.map(({ kind }) => kind)).toEqual(['unmatched-answer', 'unmatched-answer', 'invalid-message']);
    expect(await client.promises.listTools()).toEqual([]);
    expect(client.alive).toBe(true);
  });
});
