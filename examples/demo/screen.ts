import type { WriteStream } from 'node:tty';
import { MultiBar, Presets } from 'cli-progress';
import type { SingleBar } from 'cli-progress';
import type { Happening, Screen } from './happenings.js';

const asLine = (happening: Happening): string => {
  switch (happening.kind) {
    case 'line':
      return happening.text;
    case 'said':
      return `${happening.how.padEnd(7)} | ${happening.text}`;
    case 'started':
      return `[${happening.slot}] 0% ${happening.name}`;
    case 'progress':
      return `[${happening.slot}] ${happening.percent}% ${happening.message}`;
    case 'ended':
      return `[${happening.slot}] ${happening.outcome}: ${happening.text}`;
  }
};

/** One line for each happening: for a pipe, a file or a log. */
const lineScreen = (out: NodeJS.WritableStream): Screen => ({
  show: (happening) => void out.write(`${asLine(happening)}\n`),
  close: () => undefined,
});

const CLEAR_TO_END_OF_LINE = '\u001b[K';

/** A bar for each call while it runs; all else are lines above the bars. */
const barScreen = (out: WriteStream): Screen => {
  const running = new Map<number, SingleBar>();
  let bars: MultiBar | undefined;

  const open = (): MultiBar =>
    new MultiBar(
      {
        stream: out,
        format: '[{slot}] {name} {bar} {percentage}% {message}',
        barsize: 30,
        autopadding: true,
        hideCursor: true,
        linewrap: false,
        forceRedraw: true, // the lines that are printed above push the bars down
        gracefulExit: false, // Ctrl-C is for main.ts to handle
      },
      Presets.shades_classic,
    );

  const close = (): void => {
    bars?.update(); // stop() alone would drop the lines that wait to be printed
    bars?.stop();
    bars = undefined;
    running.clear();
  };

  const print = (happening: Happening): void => {
    const line = asLine(happening);
    if (bars === undefined) out.write(`${line}\n`);
    else bars.log(`${line}${CLEAR_TO_END_OF_LINE}\n`);
  };

  const show = (happening: Happening): void => {
    if (happening.kind === 'started') {
      const { slot, name } = happening;
      bars ??= open();
      running.set(slot, bars.create(100, 0, { slot, name: name.padEnd(10), message: '' }));
      return;
    }
    const bar = 'slot' in happening ? running.get(happening.slot) : undefined;
    if (bar === undefined) {
      print(happening);
    } else if (happening.kind === 'progress') {
      bar.update(happening.percent, { message: happening.message });
    } else if (happening.kind === 'ended') {
      bar.update({ message: `${happening.outcome}: ${happening.text}` });
      running.delete(happening.slot);
      if (running.size === 0) close();
    }
  };

  return { show, close };
};

/** Bars at a terminal, plain lines anywhere else. */
export const openScreen = (out: WriteStream): Screen =>
  out.isTTY && process.env['TERM'] !== 'dumb' ? barScreen(out) : lineScreen(out);
