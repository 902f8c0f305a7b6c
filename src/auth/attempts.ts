/** How many authorizations in a row are worth a try. */
const IN_A_ROW = 3;
/** How many of them for the same scopes. */
const FOR_SCOPES = 2;

interface Tally {
  inARow: number;
  readonly byScopes: Map<string, number>;
}

/**
 * Counts authorizations that brought nothing, so that a server that is never content does not send a person round in circles.
 * MCP 2026-07-28 basic/authorization, "Step-Up Authorization Flow".
 */
export class Attempts {
  readonly #tallies = new Map<string, Tally>();

  /** Whether another one is worth it; counts it if so. `scopes` are those of a step-up. */
  begin(url: string, scopes: readonly string[] | undefined): boolean {
    const tally = this.#tallies.get(url) ?? { inARow: 0, byScopes: new Map<string, number>() };
    this.#tallies.set(url, tally);
    const key = scopes === undefined ? undefined : [...scopes].sort().join(' ');
    const before = key === undefined ? 0 : (tally.byScopes.get(key) ?? 0);
    if (tally.inARow >= IN_A_ROW || before >= FOR_SCOPES) return false;
    tally.inARow += 1;
    if (key !== undefined) tally.byScopes.set(key, before + 1);
    return true;
  }

  /** A request with a token was answered. What scopes did not suffice for is still so. */
  succeeded(url: string): void {
    const tally = this.#tallies.get(url);
    if (tally !== undefined) tally.inARow = 0;
  }

  /** Somebody asks for an authorization in person. */
  forget(url: string): void {
    this.#tallies.delete(url);
  }
}
