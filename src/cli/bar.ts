import { Format, MultiBar, Presets, type SingleBar } from 'cli-progress';
import type { Io } from './io.js';
import type { Live, Step } from './progress.js';
import { columnsOf, type Screen } from './screen.js';
import { oneLine } from './text/clean.js';
import { fit } from './text/width.js';

const CLEAR_TO_END_OF_LINE = '\u001b[K';
const BAR_COLUMNS = 24;

const KNOWN = '{bar} {percentage}% {done}/{total}{eta_formatted} {words}';
const UNKNOWN = '{done} in {duration_formatted} {words}';

const isKnown = (total: number | undefined): boolean => total !== undefined && total > 0;

const counted = (value: number): string => String(Math.round(value * 100) / 100);

/**
 * A bar on stderr, with an estimate of the rest where the total is known, from the second report on; else a count. `label` stands before it.
 * Lines that the screen writes in the meantime go above it.
 */
export const openBar = (io: Io, screen: Screen, label: string): Live => {
  const name = fit(oneLine(label), 24);
  // One bar among many, since only those let lines be written above them.
  let drawn: { readonly bars: MultiBar; readonly bar: SingleBar } | undefined;
  let last: Step | undefined;
  /** How many the bar that is drawn has seen. */
  let reports = 0;
  let away = false;
  let stopped = false;

  const wordsOf = ({ message = '' }: Step): string =>
    fit(oneLine(message), Math.max(1, columnsOf(io.stderr) - name.length - BAR_COLUMNS - 34));

  const payloadOf = (step: Step): object => ({ words: wordsOf(step), done: counted(step.progress) });

  const open = (step: Step): void => {
    const known = isKnown(step.total);
    reports = 1;
    const bars = new MultiBar(
      {
        stream: io.stderr,
        // One report says nothing of how fast it goes.
        ...(known && {
          formatTime: (...time) => (reports < 2 ? '' : ` ETA ${Format.TimeFormat(...time)}`),
        }),
        // Braces in a name are no place for a value.
        format: `${name.replace(/[{}]/g, ' ')} ${known ? KNOWN : UNKNOWN}`,
        barsize: BAR_COLUMNS,
        hideCursor: true,
        clearOnComplete: true,
        // Long lines above the bar are not to be cut; the bar itself fits.
        linewrap: true,
        // The lines that are written above push it down.
        forceRedraw: true,
        // Ctrl-C is for the command to handle.
        gracefulExit: false,
      },
      Presets.shades_classic,
    );
    drawn = {
      bars,
      bar: bars.create(known ? (step.total ?? 0) : Number.MAX_SAFE_INTEGER, step.progress, payloadOf(step)),
    };
  };

  const close = (): void => {
    drawn?.bars.stop();
    drawn = undefined;
  };

  const release = screen.keepBelow({
    above: (text) => {
      if (drawn === undefined) {
        io.stderr.write(text);
        return;
      }
      drawn.bars.log(text.replace(/\n/g, `${CLEAR_TO_END_OF_LINE}\n`));
      // At once: a line that waits would be lost where the bar is taken away.
      drawn.bars.update();
    },
  });

  return {
    show: (step) => {
      const before = last;
      last = step;
      if (away || stopped) return;
      if (isKnown(before?.total) !== isKnown(step.total)) close();
      if (drawn === undefined) open(step);
      else {
        reports += 1;
        if (step.total !== undefined && isKnown(step.total)) drawn.bar.setTotal(step.total);
        drawn.bar.update(step.progress, payloadOf(step));
      }
    },
    pause: () => {
      away = true;
      close();
    },
    resume: () => {
      away = false;
      if (last !== undefined && !stopped) open(last);
    },
    stop: () => {
      stopped = true;
      close();
      release();
    },
  };
};
