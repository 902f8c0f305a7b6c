import type { RequestId } from '../jsonrpc/index.js';

interface Call {
  readonly id: RequestId;
}

/** A number and its text are two ids. */
const keyOf = (id: unknown): string | undefined =>
  typeof id === 'number' ? String(id) : typeof id === 'string' ? `text ${id}` : undefined;

/** How many places there are at first, and up to how many are kept while nothing is in them: powers of two. */
const FEWEST = 16;
const KEPT = 1_024;

const placesFor = <C>(count: number): (C | undefined)[] => new Array<C | undefined>(count).fill(undefined);

/** Numbers by their size, then texts as they are. */
const byId = ({ id: one }: Call, { id: other }: Call): number => {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return Number(typeof one !== 'number') - Number(typeof other !== 'number');
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
  /** By the lowest bits of a number: our own ids only grow, so two rarely want the same place. More than twice as many as calls. */
  #places: (C | undefined)[] | undefined;
  /** Those whose place was taken, and whose id is a text. None of the keys is inherited: see `keyOf`. */
  #others: Record<string, C> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Takes in a call whose id no other one has. */
  add(call: C): void {
    if (this.#size === 0) {
      this.#only = call;
      this.#onlyId = call.id;
    } else this.#put(call);
    this.#size += 1;
  }

  /** The call of that very id. */
  get(id: unknown): C | undefined {
    if (id === this.#onlyId) return this.#only;
    if (typeof id === 'number' && this.#places !== undefined) {
      const call = this.#places[id & (this.#places.length - 1)];
      if (call?.id === id) return call;
    }
    if (this.#others === undefined) return undefined;
    const key = keyOf(id);
    return key === undefined ? undefined : this.#others[key];
  }

  /** Forgets a call. Idempotent. */
  delete({ id }: Call): void {
    const call = this.get(id);
    if (call === undefined) return;
    if (id === this.#onlyId) {
      this.#only = undefined;
      this.#onlyId = undefined;
    } else this.#take(call);
    this.#size -= 1;
    if (this.#size === 0 && (this.#places?.length ?? 0) > KEPT) this.#places = undefined;
  }

  /** All of them, the smallest number first, which is the oldest where these only grow. */
  all(): C[] {
    const placed = [this.#only, ...(this.#places ?? [])].filter((call) => call !== undefined);
    return [...placed, ...Object.values(this.#others ?? {})].sort(byId);
  }

  #put(call: C): void {
    const { id } = call;
    const places = this.#room();
    const place = typeof id === 'number' ? id & (places.length - 1) : -1;
    if (place !== -1 && places[place] === undefined) places[place] = call;
    else (this.#others ??= {})[keyOf(id) as string] = call;
  }

  #take(call: C): void {
    const { id } = call;
    const place = typeof id === 'number' && this.#places !== undefined ? id & (this.#places.length - 1) : -1;
    if (this.#places !== undefined && this.#places[place] === call) this.#places[place] = undefined;
    else delete this.#others?.[keyOf(id) as string];
  }

  /** The places, with room for one more. */
  #room(): (C | undefined)[] {
    const outgrown = this.#places;
    if (outgrown !== undefined && this.#size * 2 < outgrown.length) return outgrown;
    const places = placesFor<C>(outgrown === undefined ? FEWEST : outgrown.length * 2);
    this.#places = places;
    for (const call of outgrown ?? []) if (call !== undefined) places[(call.id as number) & (places.length - 1)] = call;
    // It may have grown old.
    outgrown?.fill(undefined);
    return places;
  }
}
