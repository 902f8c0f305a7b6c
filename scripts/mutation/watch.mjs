// Ends a test that can never end: nothing is left in the process that could wake it.
import { liveTimers, resources } from './leftovers.mjs';

const LOOK_MS = 20;
const IDLE_LOOKS = 5;

const { setInterval: repeat, clearInterval: stop } = globalThis;

const busy = () => resources().length > 0 || liveTimers().length > 0;

/** The same function of a test, which rejects when nothing but time would pass. One with a callback stays as it is. */
export const watched = (fn) =>
  fn === undefined || fn.length > 0
    ? fn
    : function test() {
        const result = fn.call(this);
        if (typeof result?.then !== 'function') return result;
        return new Promise((resolve, reject) => {
          let idle = 0;
          const watch = repeat(() => {
            idle = busy() ? 0 : idle + 1;
            if (idle >= IDLE_LOOKS) settle(reject)(new Error('the test waits for what can never happen'));
          }, LOOK_MS);
          watch.unref();
          const settle = (how) => (value) => {
            stop(watch);
            how(value);
          };
          result.then(settle(resolve), settle(reject));
        });
      };
