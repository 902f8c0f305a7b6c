import { describe, expect, it, jest } from '@jest/globals';
import { Unheard } from '../../../src/transport/http/unheard.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';

describe('requests of which nothing was heard yet', () => {
  it('are those that were added, until something is heard of them', () => {
    const unheard = new Unheard<string>();
    unheard.add('a');
    unheard.add('b');
    unheard.delete('b');
    unheard.delete('never there');
    expect(['a', 'b'].map((one) => unheard.has(one))).toEqual([true, false]);
  });

  it('are settled at once where there are none', () => {
    const done = jest.fn();
    new Unheard().settle(done);
    expect(done).toHaveBeenCalledTimes(1);
  });

  it('are settled with the last of them, once', () => {
    const unheard = new Unheard<string>();
    const done = jest.fn();
    unheard.add('a');
    unheard.add('b');
    unheard.settle(done);
    unheard.settle(done);
    unheard.delete('a');
    expect(done).not.toHaveBeenCalled();
    unheard.delete('b');
    unheard.delete('b');
    expect(done).toHaveBeenCalledTimes(1);
  });

  it('are settled after half a second in any case, and none of them is unheard any longer', () => {
    inVirtualTime(({ at }) => {
      const unheard = new Unheard<string>();
      const done = jest.fn();
      unheard.add('a');
      unheard.settle(done);
      at(499, () => expect(done).not.toHaveBeenCalled());
      at(501, () => {
        expect(done).toHaveBeenCalledTimes(1);
        expect(unheard.has('a')).toBe(false);
      });
    });
  });

  it('are waited for by nobody after close', () => {
    inVirtualTime(({ at }) => {
      const unheard = new Unheard<string>();
      const done = jest.fn();
      unheard.add('a');
      unheard.settle(done);
      unheard.close();
      unheard.delete('a');
      at(1_000, () => expect(done).not.toHaveBeenCalled());
    });
  });
});
