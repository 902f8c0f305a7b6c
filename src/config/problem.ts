/** How much a {@link ConfigProblem} matters. */
export type ProblemLevel =
  /** what it is about cannot be used: an entry, or the whole file */
  | 'error'
  /** it is used, but hardly as it was meant */
  | 'warning'
  /** it changes nothing */
  | 'note';

/** Something in a config, or in the variables beside it, that is not as it should be. */
export interface ConfigProblem {
  readonly level: ProblemLevel;
  /** Where, as a JSON Pointer (RFC 6901); `''` is the file itself, or what is in no file. */
  readonly path: string;
  /** One sentence for a person: what is wrong, and what to do. It holds no secret. */
  readonly message: string;
  /** The key of the server it is about, if it is about one. */
  readonly server?: string | undefined;
  /** The environment variable it is about, if it is about one. */
  readonly variable?: string | undefined;
  /** The line in the file, from 1, where the text could not be read. */
  readonly line?: number | undefined;
  /** The column in that line, from 1. */
  readonly column?: number | undefined;
}

/** What is known of a problem beside its level, its place and its sentence. */
export type ProblemFacts = Omit<ConfigProblem, 'level' | 'path' | 'message'>;

/** Gathers problems, in the order in which they are found. */
export class Problems {
  readonly #facts: ProblemFacts;
  readonly #all: ConfigProblem[] = [];

  /** @param facts what is true of all of them */
  constructor(facts: ProblemFacts = {}) {
    this.#facts = facts;
  }

  /** What was found so far. */
  get all(): readonly ConfigProblem[] {
    return this.#all;
  }

  /** Adds one. */
  add(level: ProblemLevel, path: string, message: string, facts: ProblemFacts = {}): void {
    this.#all.push({ level, path, message, ...this.#facts, ...facts });
  }
}
