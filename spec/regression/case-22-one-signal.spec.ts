import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { CancelledError } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, sentTo } from '../support/client/scripted.js';
import { rejection } from '../support/client/watch.js';

describe.each(ERAS)('case 22: thirty calls on one AbortSignal, in the %s era', (era) => {
  const calls = Array.from({ length: 30 }, (_, index) => index);

  it('leave no listener behind once they are answered', async () => {
    const server = scriptedTransport({ 'tools/call': scriptedTransport.silence }, { era });
    const { promises } = connect(server, { era });
    const { signal } = new AbortController();
    const all = Promise.all(calls.map((n) => promises.callTool('t', { n }, { signal })));
    // One for all: Node warns of a signal with more than ten.
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    for (const { id } of sentTo(server, 'tools/call')) server.push({ id: id ?? -1, result: { content: [] } });
    expect(await all).toHaveLength(30);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('all end by one abort, each told to the server once, and leave no listener behind', async () => {
    const server = scriptedTransport({ 'tools/call': scriptedTransport.silence }, { era });
    const { promises } = connect(server, { era });
    const controller = new AbortController();
    const { signal } = controller;
    const all = calls.map((n) => rejection(promises.callTool('t', { n }, { signal })));
    controller.abort('enough');
    for (const error of await Promise.all(all)) expect(error).toBeInstanceOf(CancelledError);
    const asked = sentTo(server, 'tools/call').map(({ id }) => id);
    expect(sentTo(server, 'notifications/cancelled').map(({ params }) => params?.['requestId'])).toEqual(asked);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
