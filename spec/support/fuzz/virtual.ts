import { asyncScheduler, config, timer } from 'rxjs';

import { type At, momentsInto } from '../../../src/testing/moments.js';
import { VirtualScheduler } from '../../../src/testing/virtual-scheduler.js';

/**
 * Runs something in virtual time up to `endMs`, and what is left then for an hour more. Throws what nobody handled, and where anything is still
 * scheduled after that hour.
 */
export const untilQuiet = (endMs: number, body: (at: At) => void): void => {
  const failures: unknown[] = [];
  const before = config.onUnhandledError;
  config.onUnhandledError = (reason) => failures.push(reason);
  const scheduler = new VirtualScheduler(() => undefined);
  try {
    scheduler.run(({ flush }) => {
      body(momentsInto(failures));
      timer(endMs + 3_600_000).subscribe({
        next: () => {
          // This timer is among them until it returns.
          const left = scheduler.actions.length - 1;
          if (left > 0) failures.push(new Error(`${left} things are still scheduled at ${asyncScheduler.now()} ms`));
          scheduler.actions.length = 0;
        },
        error: (reason: unknown) => failures.push(reason),
      });
      flush();
    });
  } finally {
    config.onUnhandledError = before;
  }
  if (failures.length > 0) throw failures[0];
};
