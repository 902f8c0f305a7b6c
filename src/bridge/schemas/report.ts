/** One way in which a declaration differs from the tool that the server described. */
export interface DeclarationChange {
  /** The name of the tool, as the server wrote it; `''` for one that has none. */
  readonly tool: string;
  /** Where, as a JSON Pointer into the tool; `''` is the tool itself. */
  readonly path: string;
  /** `dropped`: it is not there; `changed`: it says the same or less in another way; `replaced`: something else stands there. */
  readonly action: 'dropped' | 'changed' | 'replaced';
  /** Why, as part of a sentence. */
  readonly reason: string;
}

/** A path one step longer. RFC 6901, section 3. */
export const below = (path: string, step: string | number): string => {
  // Asked for at every step, and hardly ever anything to escape.
  if (typeof step === 'number' || !/[~/]/.test(step)) return `${path}/${step}`;
  return `${path}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
};

/** Gathers the changes of one tool. */
export class Report {
  readonly #tool: string;
  #changes: DeclarationChange[] = [];

  /** @param tool the name of the tool */
  constructor(tool: string) {
    this.#tool = tool;
  }

  /** What was noted so far, in order. */
  get changes(): readonly DeclarationChange[] {
    return this.#changes;
  }

  /** Notes one change. */
  note(path: string, action: DeclarationChange['action'], reason: string): void {
    this.#changes.push({ tool: this.#tool, path, action, reason });
  }

  /** Takes back what was noted since there were so many changes. */
  backTo(count: number): void {
    this.#changes = this.#changes.slice(0, count);
  }
}
