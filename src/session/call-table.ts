import type { RequestId } from '../jsonrpc/index.js';

interface Call {
  readonly id: RequestId;
}

/** How many places there are at first, and up to how many are kept while nothing is in them: powers of two. */
const FEWEST = 16;
const KEPT = 1_024;
const NOWHERE: undefined[] = [];

/** Where a number belongs, by its lowest bits; texts belong nowhere. */
const placeOf = (id: unknown, { length }: readonly unknown[]): number =>
  typeof id === 'number' ? id & (length - 1) : -1;

/** Numbers by their size, then texts as they are. */
const byId = ({ id: one }: Call, { id: other }: Call): number => {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return Number(typeof other === 'number') - Number(typeof one === 'number');
};

/**
 * Calls by their ids; constant cost, however many there are.
 *
 * In place of a `Map`, or an object: V8 makes a new table for what comes and goes, over and over, and leaves the outgrown
 * one as it was. One that has grown old keeps every call that was in it from being collected young. Here what is
 * forgotten leaves nothing behind.
 */
export class CallTable<C extends Call> {
  /** One that came when there was none: most clients have one call at a time. */
  #only: C | undefined;
  #onlyId: RequestId | undefined;
  /** At least twice as many as calls. Our own ids only grow, so two rarely want the same place. */
  #places: (C | undefined)[] = NOWHERE;
  /** Those whose place was taken, and whose id is a text. */
  #others: Map<RequestId, C> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Takes in a call whose id no other one has. */
  add(call: C): void {
    const { id } = call;
    if (this.#size === 0) {
      this.#only = call;
      this.#onlyId = id;
    } else {
      if (this.#size * 2 >= this.#places.length) this.#grow();
      const place = placeOf(id, this.#places);
      if (place !== -1 && this.#places[place] === undefined) this.#places[place] = call;
      else (this.#others ??= new Map()).set(id, call);
    }
    this.#size += 1;
  }

  /** The call of that very id. */
  get(id: unknown): C | undefined {
    if (id === this.#onlyId) return this.#only;
    const call = this.#places[placeOf(id, this.#places)];
    return call?.id === id ? call : this.#others?.get(id as RequestId);
  }

  /** Forgets a call. Idempotent. */
  delete({ id }: Call): void {
    const call = this.get(id);
    if (call === undefined) return;
    const place = placeOf(id, this.#places);
    if (call === this.#only) this.#only = this.#onlyId = undefined;
    else if (this.#places[place] === call) this.#places[place] = undefined;
    else this.#others?.delete(id);
    this.#size -= 1;
    if (this.#size === 0 && this.#places.length > KEPT) this.#places = NOWHERE;
  }

  /** All of them, the smallest number first, which is the oldest where these only grow. */
  all(): C[] {
    const calls = [this.#only, ...this.#places, ...(this.#others?.values() ?? [])];
    return calls.filter((call) => call !== undefined).sort(byId);
  }

  #grow(): void {
    const outgrown = this.#places;
    const places = new Array<C | undefined>(Math.max(FEWEST, outgrown.length * 2)).fill(undefined);
    for (const call of outgrown) if (call !== undefined) places[placeOf(call.id, places)] = call;
    // It may have grown old.
    outgrown.fill(undefined);
    this.#places = places;
  }
}
