import { connect, defer, map, merge, reduce } from 'rxjs';
import type { MonoTypeOperatorFunction } from 'rxjs';
import type { Happening } from './happenings.js';

const NOTHING = { done: 0, cancelled: 0, failed: 0, logs: 0 };

const count = (tally: typeof NOTHING, happening: Happening): typeof NOTHING => {
  if (happening.kind === 'ended') return { ...tally, [happening.outcome]: tally[happening.outcome] + 1 };
  if (happening.kind === 'said' && happening.how !== 'stderr') return { ...tally, logs: tally.logs + 1 };
  return tally;
};

/** Lets everything through, and says at the end what it came to. */
export const summarise: MonoTypeOperatorFunction<Happening> = (happenings$) =>
  defer(() => {
    const begun = performance.now();
    const seconds = (): string => ((performance.now() - begun) / 1_000).toFixed(1);
    return happenings$.pipe(
      connect((shared$) =>
        merge(
          shared$,
          shared$.pipe(
            reduce(count, NOTHING),
            map(({ done, cancelled, failed, logs }): Happening => ({
              kind: 'line',
              text: `${done} done, ${cancelled} cancelled, ${failed} failed, ${logs} log lines, ${seconds()} s`,
            })),
          ),
        ),
      ),
    );
  });
