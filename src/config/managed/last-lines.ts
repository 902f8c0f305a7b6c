/** How many lines are kept, and how long each of them may be, in characters. */
const MOST_LINES = 20;
const LONGEST = 500;

/** A line that is not too long; no character of two code units is cut in two. */
const short = (line: string): string =>
  line.length > LONGEST ? `${line.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')}…` : line;

/** The last lines of a stream of them. */
export class LastLines {
  #lines: readonly string[] = [];
  /** See {@link own}. */
  #own: readonly string[] = [];

  /** Takes a line in. */
  push(line: string): void {
    this.#lines = [...this.#lines.slice(1 - MOST_LINES), short(line)];
    if (line.trim() !== '') this.#own = [...this.#own.slice(1 - MOST_LINES), short(line.trim())];
  }

  /** What comes from now on is of another life: the last line before it says nothing of that. */
  begin(): void {
    this.#own = [];
  }

  /** The lines, the latest last. */
  get text(): string {
    return this.#lines.join('\n');
  }

  /** The lines since the latest {@link begin} that say anything, without the blanks around them, the latest last. */
  get own(): readonly string[] {
    return this.#own;
  }
}
