import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject } from 'rxjs';
import { subscribeOn } from '../../src/client/legacy-subscriptions.js';
import type { Want } from '../../src/client/wants.js';
import { agreementOf } from '../../src/protocol/agreement.js';
import { legacyCodec } from '../../src/protocol/legacy.js';
import { Channels } from '../../src/session/index.js';
import { Session } from '../../src/session/session.js';
import { type Script, type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { watch } from '../support/client/watch.js';
import { unrecorded } from '../support/frames/unrecorded.js';

const uri = (of: string): Want => ({ uri: of });

/** One legacy life, and what is told of the wants on it. */
const following = (script: Script, capabilities: object = { resources: { subscribe: true } }) => {
  const server = unrecorded(scriptedTransport(script, { era: 'legacy' }));
  const session = new Session(server, new Channels());
  const codec = legacyCodec('2025-11-25');
  const agreement = agreementOf(codec, { info: undefined, capabilities, instructions: undefined }, []);
  const wants = new BehaviorSubject<readonly Want[]>([]);
  const told: string[] = [];
  const name = (want: Want): string => (typeof want === 'string' ? want : want.uri);
  const seen = watch(
    subscribeOn({ session, agreement }, wants, {
      ready: (want) => told.push(`ready ${name(want)}`),
      unserved: (want, reason) => told.push(`unserved ${name(want)}: ${reason}`),
    }),
  );
  return { server, session, wants, told, seen };
};

const asked = (server: ScriptedTransport): string[] =>
  server.sent.map((message) => {
    const { method, params } = message as { method: string; params?: { uri?: string } };
    return params?.uri === undefined ? method : `${method} ${params.uri}`;
  });

const WILLING: Script = { 'resources/subscribe': {}, 'resources/unsubscribe': {} };

describe('the wants on a legacy connection', () => {
  it('that are lists are ready at once, and nothing is asked', () => {
    const { server, wants, told } = following(WILLING);
    wants.next(['tools', 'prompts', 'resources']);
    expect([told, server.sent]).toEqual([['ready tools', 'ready prompts', 'ready resources'], []]);
  });

  it('that are resources are subscribed to one by one, as they come and go', () => {
    const { server, wants, told } = following(WILLING);
    wants.next([uri('a:1')]);
    wants.next([uri('a:1'), 'tools', uri('a:2')]);
    wants.next(['tools', uri('a:2')]);
    wants.next([uri('a:2'), uri('a:1')]);
    expect(asked(server)).toEqual([
      'resources/subscribe a:1',
      'resources/subscribe a:2',
      'resources/unsubscribe a:1',
      'resources/subscribe a:1',
    ]);
    expect(told).toEqual(['ready a:1', 'ready tools', 'ready a:2', 'ready a:1']);
  });

  it('are ready when the server has answered, and not before', () => {
    const { server, wants, told } = following({ 'resources/subscribe': scriptedTransport.silence });
    wants.next([uri('a:1')]);
    expect(told).toEqual([]);
    server.push({ id: 1, result: {} });
    expect(told).toEqual(['ready a:1']);
  });

  it('are all taken back when nobody follows them any longer', () => {
    const { server, wants, seen } = following(WILLING);
    wants.next([uri('a:1'), 'tools', uri('a:2')]);
    seen.subscription.unsubscribe();
    expect(asked(server).slice(2)).toEqual(['resources/unsubscribe a:1', 'resources/unsubscribe a:2']);
    expect(wants.observed).toBe(false);
  });

  it('are not served where the server declared no subscriptions, and nothing is asked', () => {
    const { server, wants, told, seen } = following(WILLING, { resources: {} });
    wants.next([uri('a:1')]);
    seen.subscription.unsubscribe();
    expect(told).toEqual(['unserved a:1: the server declared no subscriptions to resources']);
    expect(server.sent).toEqual([]);
  });

  it('are not served where the server refuses, and one that was refused is not taken back', () => {
    const { server, wants, told, seen } = following({ 'resources/subscribe': scriptedTransport.error(-32603, 'no') });
    wants.next([uri('a:1')]);
    wants.next([uri('a:1'), 'tools']);
    seen.subscription.unsubscribe();
    expect(told).toEqual(['unserved a:1: no', 'ready tools']);
    expect(asked(server)).toEqual(['resources/subscribe a:1']);
  });

  it('are given up and taken back where the server has not answered yet', () => {
    const { server, wants } = following({ 'resources/subscribe': scriptedTransport.silence });
    wants.next([uri('a:1')]);
    wants.next([]);
    expect(asked(server)).toEqual(['resources/subscribe a:1', 'notifications/cancelled', 'resources/unsubscribe a:1']);
  });

  it('end without a word with the connection, and nothing is sent on a dead one', () => {
    const { server, wants, told, seen } = following({ 'resources/subscribe': scriptedTransport.silence });
    wants.next([uri('a:1')]);
    server.die();
    seen.subscription.unsubscribe();
    expect(told).toEqual([]);
    expect(asked(server)).toEqual(['resources/subscribe a:1']);
  });
});
