// What there is to show. Everything the demo does ends up as a stream of these; the screens know nothing else.

export type Outcome = 'done' | 'cancelled' | 'failed';

export type Happening =
  /** Something to say. */
  | { readonly kind: 'line'; readonly text: string }
  /** The server said something: a log message with its level, or a line on stderr. */
  | { readonly kind: 'said'; readonly how: string; readonly text: string }
  /** A call, known by its slot, from its start to its end. */
  | { readonly kind: 'started'; readonly slot: number; readonly name: string }
  | { readonly kind: 'progress'; readonly slot: number; readonly percent: number; readonly message: string }
  | { readonly kind: 'ended'; readonly slot: number; readonly outcome: Outcome; readonly text: string };

export interface Screen {
  readonly show: (happening: Happening) => void;
  /** Leaves the terminal as it was. */
  readonly close: () => void;
}
