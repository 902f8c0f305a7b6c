import type { Readable, Writable } from 'node:stream';
import type { Observable } from 'rxjs';

/** A stream that may be a terminal. */
export type Terminal<S> = S & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };

/** All that the command has to do with the world around it, so that a spec can be that world. */
export interface Io {
  readonly stdin: Terminal<Readable>;
  readonly stdout: Terminal<Writable>;
  readonly stderr: Terminal<Writable>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reading it throws a usage error where it is gone. */
  readonly cwd: string;
  /** `undefined` where the user has none. */
  readonly home: string | undefined;
  /** As `process.platform`. */
  readonly platform: string;
  /** What is to end the command; hot, and never errors. */
  readonly signals$: Observable<'SIGINT' | 'SIGTERM'>;
  /** Ends the process at once, without waiting for anything. */
  readonly exitNow: (code: number) => void;
}
