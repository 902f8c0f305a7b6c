import { describe, expect, it } from '@jest/globals';
import { Channel } from '../../src/session/channel.js';

/** Everything a stream tells, as it tells it. */
const heardOf = (channel: Channel<number>): (number | 'complete')[] => {
  const heard: (number | 'complete')[] = [];
  channel.values$.subscribe({
    next: (value) => heard.push(value),
    error: () => undefined,
    complete: () => heard.push('complete'),
  });
  return heard;
};

describe('Channel', () => {
  it('hands each value to all who are subscribed, and nothing to those who come later', () => {
    const channel = new Channel<number>();
    channel.next(1);
    const first = heardOf(channel);
    channel.next(2);
    const second = heardOf(channel);
    channel.next(3);
    expect([first, second]).toEqual([[2, 3], [3]]);
  });

  it('is the same stream whoever asks for it', () => {
    const channel = new Channel<number>();
    expect(channel.values$).toBe(channel.values$);
  });

  it('is observed only while somebody is subscribed', () => {
    const channel = new Channel<number>();
    const before = channel.observed;
    const subscription = channel.values$.subscribe({ error: () => undefined });
    const meanwhile = channel.observed;
    subscription.unsubscribe();
    expect([before, meanwhile, channel.observed]).toEqual([false, true, false]);
  });

  it('completes at the close for those who listen and for those who come after it', () => {
    const channel = new Channel<number>();
    const before = heardOf(channel);
    channel.close();
    channel.next(1);
    expect([before, heardOf(channel)]).toEqual([['complete'], ['complete']]);
  });

  it('completes at once where it was closed before anybody looked', () => {
    const channel = new Channel<number>();
    channel.close();
    expect(heardOf(channel)).toEqual(['complete']);
  });
});
