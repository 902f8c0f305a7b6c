import { describe, expect, it } from '@jest/globals';
import { LocalTools } from '../../../src/bridge/toolkit/local-tools.js';
import { ProtocolError, TimeoutError } from '../../../src/index.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';

const never = (): Promise<never> => new Promise(() => undefined);

describe('tools in this process', () => {
  it('are one list until another is added', () => {
    const tools = new LocalTools();
    tools.add('a', { description: 'A' }, () => 'a');
    const before = tools.listTools();
    expect(tools.listTools()).toBe(before);
    tools.add('b', { description: 'B' }, () => 'b');
    expect(before).toHaveLength(1);
    expect(tools.listTools()).toHaveLength(2);
  });

  it('give each call a number of its own', () => {
    const tools = new LocalTools();
    tools.add('id', { description: 'I' }, (_: unknown, { requestId }: { requestId: number }) => requestId);
    const texts = [1, 2].map(() => watch(tools.call('id')).values[0]);
    expect(texts).toMatchObject([{ result: { content: [{ text: '1' }] } }, { result: { content: [{ text: '2' }] } }]);
  });

  it('are not there by a name of the prototype', () => {
    const { error } = watch(new LocalTools().call('constructor'));
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toHaveProperty('message', 'Tool constructor not found');
  });

  it('have a minute by default, what the toolkit says, or what the call says', () => {
    inVirtualTime(({ at }) => {
      const [own, given] = [new LocalTools(), new LocalTools({ requestTimeoutMs: 30 })];
      for (const tools of [own, given]) tools.add('t', { description: 'T' }, never);
      const seen = [own.call('t'), given.call('t'), given.call('t', {}, { timeoutMs: 20 })].map((call$) =>
        watch(call$),
      );
      const free = watch(own.call('t', {}, { timeoutMs: 0, maxTotalMs: 0 }));
      at(1_000_000, () => {
        expect(seen.map(({ marks }) => marks[0]?.[0])).toEqual([60_000, 30, 20]);
        expect(seen[0]?.error).toBeInstanceOf(TimeoutError);
        expect(free.marks).toEqual([]);
      });
    });
  });
});
