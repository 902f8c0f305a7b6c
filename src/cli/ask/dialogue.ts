import { createInterface } from 'node:readline';
import { firstValueFrom, Observable, skip, timer } from 'rxjs';
import type { Context } from '../context.js';
import type { Live } from '../progress.js';
import type { Part } from '../text/paint.js';

/** So long it takes at least, twice, to read what a terminal already holds, in ms. */
const DRAIN_MS = 20;

const CLEAR_LINE = '\r\u001b[K';

/** What a dialogue is led with. */
export interface Ask {
  /** Writes a line. */
  say(...parts: readonly Part[]): void;
  /** Asks for a line; `undefined` where there is none any more: Ctrl-D, or nobody wants the answer any longer. */
  line(...prompt: readonly Part[]): Promise<string | undefined>;
  /** The same for what only somebody may answer who has seen it: what was typed before that is dropped. */
  confirm(...prompt: readonly Part[]): Promise<string | undefined>;
}

/**
 * Leads dialogues at the terminal, one at a time: those that begin while another is open wait for it. The progress that is
 * shown gives way to them.
 */
export class Dialogues {
  readonly #context: Context;
  readonly #live: () => Live;
  readonly #waiting: (() => void)[] = [];
  #open = false;

  /** @param live what is shown beneath, at the time of a question */
  constructor(context: Context, live: () => Live) {
    this.#context = context;
    this.#live = live;
  }

  /**
   * A dialogue as a cold Observable: emits its outcome and completes, or errors with what `lead` rejected with. Leaving it
   * takes its question away.
   */
  hold<T>(lead: (ask: Ask) => Promise<T>): Observable<T> {
    return new Observable<T>((subscriber) => {
      const begin = (): void => {
        if (subscriber.closed) {
          this.#next();
          return;
        }
        const close = this.#lead(lead, {
          next: (value) => {
            subscriber.next(value);
            subscriber.complete();
          },
          error: (reason) => {
            subscriber.error(reason);
          },
        });
        subscriber.add(() => {
          close();
          this.#next();
        });
      };
      if (this.#open) this.#waiting.push(begin);
      else {
        this.#open = true;
        begin();
      }
    });
  }

  #next(): void {
    const next = this.#waiting.shift();
    this.#open = next !== undefined;
    next?.();
  }

  #lead<T>(
    lead: (ask: Ask) => Promise<T>,
    outcome: { readonly next: (value: T) => void; readonly error: (reason: unknown) => void },
  ): () => void {
    const { io, screen, interrupt } = this.#context;
    const live = this.#live();
    live.pause();
    const reader = createInterface({ input: io.stdin, output: io.stderr, terminal: true, historySize: 0, prompt: '' });
    let ended = false;
    const typed: string[] = [];
    let wanting: ((line: string | undefined) => void) | undefined;
    // What the server says meanwhile goes above the question, which is written again below.
    const release = screen.keepBelow({
      above: (text) => {
        const asking = !ended && wanting !== undefined;
        io.stderr.write(asking ? `${CLEAR_LINE}${text}` : text);
        if (asking) reader.prompt(true);
      },
    });
    const give = (line: string | undefined): void => {
      const want = wanting;
      wanting = undefined;
      want?.(line);
    };
    reader.on('line', (line) => {
      // What was typed ahead answers the next question.
      if (wanting === undefined) typed.push(line);
      else give(line);
    });
    // The terminal hands Ctrl-C on as a key while a line is edited.
    reader.on('SIGINT', interrupt);
    reader.on('close', () => {
      // Whatever comes next begins a line of its own.
      if (wanting !== undefined) io.stderr.write('\n');
      ended = true;
      give(undefined);
    });
    const line = (...prompt: readonly Part[]): Promise<string | undefined> => {
      if (ended) return Promise.resolve(undefined);
      reader.setPrompt(screen.ask(...prompt));
      reader.prompt();
      const ahead = typed.shift();
      if (ahead !== undefined) return Promise.resolve(ahead);
      return new Promise((resolve) => {
        wanting = resolve;
      });
    };
    const confirm = async (...prompt: readonly Part[]): Promise<string | undefined> => {
      await firstValueFrom(timer(DRAIN_MS, DRAIN_MS).pipe(skip(1)));
      typed.length = 0;
      // Also what stands in the line and was not sent off.
      if (!ended) reader.write(null, { ctrl: true, name: 'u' });
      return line(...prompt);
    };
    lead({ say: (...parts) => screen.err(...parts), line, confirm }).then(outcome.next, outcome.error);
    return () => {
      reader.close();
      release();
      live.resume();
    };
  }
}
