import type { messageOf } from '../../http/loopback.js';
import type { Stage } from '../honest.mjs';

/** What a deed has at hand. */
export interface Turn {
  readonly era: 'modern' | 'legacy';
  readonly life: number;
  readonly request: ReturnType<typeof messageOf>;
  readonly id: string | number | undefined;
  say(message: object | string): void;
  raw(data: string | Uint8Array): void;
  answer(result?: unknown): object;
  /** Settles when nobody listens to what is said any longer; over HTTP. */
  readonly closed?: Promise<unknown>;
}

export type Deed = () => Readonly<Partial<Record<Stage, (turn: Turn) => unknown>>>;
export const DEEDS: Readonly<Record<string, Deed>>;
