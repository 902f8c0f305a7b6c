import type { Io } from './io.js';
import type { Screen } from './screen.js';

/** How far something is. */
export interface Step {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Shows how far something is, at the bottom of the terminal. */
export interface Live {
  /** Shows a report. */
  show(step: Step): void;
  /** Takes it away, so that somebody can be asked something. */
  pause(): void;
  /** Shows it again. */
  resume(): void;
  /** Takes it away for good. Idempotent. */
  stop(): void;
}

/** Shows nothing. */
export const unseen: Live = {
  show: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
  stop: () => undefined,
};

/** What {@link openBar} shows. The library that draws it is loaded here, since most runs of the command draw nothing. */
export const openProgress = async (io: Io, screen: Screen, label: string): Promise<Live> => {
  const { openBar } = await import('./bar.js');
  return openBar(io, screen, label);
};
