// What the specs import as `@jest/globals`, for specs that run without Jest: its parts are the same packages.
import { ModernFakeTimers } from '@jest/fake-timers';
import { getState } from 'jest-circus';
import { ModuleMocker } from 'jest-mock';

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';
export { expect } from 'expect';

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });

export const jest = {
  fn: (implementation) => mocker.fn(implementation),
  spyOn: (...args) => mocker.spyOn(...args),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  getTimerCount: () => timers.getTimerCount(),
  setTimeout: (ms) => {
    getState().testTimeout = ms;
  },
};
