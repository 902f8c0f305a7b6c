import { describe, expect, it } from '@jest/globals';
import { ProtocolError } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS } from '../support/client/scripted.js';
import { rejection } from '../support/client/watch.js';

describe('case 44: a working server that refuses', () => {
  it('ping makes ping() false, and goes on working', async () => {
    const refusal = scriptedTransport.error(-32601, 'Method not found');
    const server = scriptedTransport({ ping: refusal, 'tools/list': { tools: [] } }, { era: 'legacy' });
    const { promises } = connect(server, { era: 'legacy' });
    expect(await promises.ping()).toBe(false);
    expect(await promises.listTools()).toEqual([]);
    expect(await promises.ping()).toBe(false);
  });

  it.each(ERAS)('a list it declared fails that call with its own error, in the %s era', async (era) => {
    const refusal = scriptedTransport.error(-32603, 'Internal error', { why: 'no database' });
    const server = scriptedTransport({ 'resources/list': refusal, 'tools/list': { tools: [] } }, { era });
    const { promises } = connect(server, { era });
    const error = await rejection(promises.listResources());
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({ code: -32603, message: 'Internal error', data: { why: 'no database' } });
    expect(await promises.listTools()).toEqual([]);
  });
});
