import { describe, expect, it } from '@jest/globals';
import { MemoryTokenStore } from '../../src/auth/index.js';
import { watch } from '../support/client/watch.js';

describe('tokens in memory', () => {
  it('are kept, replaced and forgotten', () => {
    const store = new MemoryTokenStore();
    expect(store.get('a')).toBeUndefined();
    store.set('a', { secret: 1 });
    store.set('a', { secret: 2 });
    expect(store.get('a')).toEqual({ secret: 2 });
    store.delete('a');
    expect(store.get('a')).toBeUndefined();
  });

  it('have a lock for each key, held by one at a time in the order of asking', () => {
    const store = new MemoryTokenStore();
    const [first, second, third, other] = ['a', 'a', 'a', 'b'].map((key) => watch(store.lock(key)));
    const held = () => [first, second, third, other].map((watched) => watched!.values.length);
    expect(held()).toEqual([1, 0, 0, 1]);
    second!.subscription.unsubscribe();
    expect(held()).toEqual([1, 0, 0, 1]);
    first!.subscription.unsubscribe();
    expect(held()).toEqual([1, 0, 1, 1]);
    third!.subscription.unsubscribe();
    expect(watch(store.lock('a')).values).toHaveLength(1);
  });
});
