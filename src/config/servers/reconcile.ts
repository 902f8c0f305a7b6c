import type { ConfigEntry } from '../read-entry.js';
import type { ManagedStatus } from '../managed/state.js';

/** What is looked at of a server that there is. */
export interface Standing {
  readonly status: ManagedStatus;
  readonly fingerprint: string;
}

/** What is to become of the servers, by their keys: in the order of the config, those that go in the order they had. */
export interface Plan {
  /** Those whose entry is new. */
  readonly added: readonly string[];
  /** Those that have no entry any longer, or one that is switched off. */
  readonly removed: readonly string[];
  /** Those that are ended and made anew: another entry, or a server that had failed. */
  readonly restarted: readonly string[];
  /** Those that go on as they are. */
  readonly kept: readonly string[];
}

/** Whether a server can go on under an entry. */
const goesOn = ({ status, fingerprint }: Standing, entry: ConfigEntry, next: string): boolean =>
  entry.state === 'usable' && status !== 'failed' && status !== 'stopped' && fingerprint === next;

/**
 * Compares the servers there are with the entries there are now. Pure.
 * @param fingerprintOf the fingerprint that the server of an entry would have
 */
export const reconcile = (
  before: ReadonlyMap<string, Standing>,
  entries: readonly ConfigEntry[],
  fingerprintOf: (entry: ConfigEntry) => string,
): Plan => {
  const plan = { added: [] as string[], removed: [] as string[], restarted: [] as string[], kept: [] as string[] };
  const present = entries.filter(({ state }) => state !== 'disabled');
  for (const entry of present) {
    const standing = before.get(entry.key);
    if (standing === undefined) plan.added.push(entry.key);
    else plan[goesOn(standing, entry, fingerprintOf(entry)) ? 'kept' : 'restarted'].push(entry.key);
  }
  const keys = new Set(present.map(({ key }) => key));
  plan.removed.push(...[...before.keys()].filter((key) => !keys.has(key)));
  return plan;
};
