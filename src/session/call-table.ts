import type { RequestId } from '../jsonrpc/index.js';

/** A number and its text are two ids. */
const keyOf = (id: unknown): number | string | undefined =>
  typeof id === 'number' ? id : typeof id === 'string' ? `text ${id}` : undefined;

/**
 * Calls by their ids; constant cost, however many there are.
 *
 * In place of a `Map`: V8 chains the outgrown tables of a `Map` to the newer ones, each with the calls that were in it, so
 * that one of them that has grown old keeps every later call from being collected young.
 */
export class CallTable<C extends { readonly id: RequestId }> {
  /** Whole numbers, which our own ids are, are no properties but elements. None of its keys is inherited: see `keyOf`. */
  readonly #calls: Record<number | string, C> = {};
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Takes in a call whose id no other one has. */
  add(call: C): void {
    this.#calls[keyOf(call.id) as number | string] = call;
    this.#size += 1;
  }

  /** The call of that very id. */
  get(id: unknown): C | undefined {
    const key = keyOf(id);
    return key === undefined ? undefined : this.#calls[key];
  }

  /** Forgets a call. Idempotent. */
  delete({ id }: C): void {
    const key = keyOf(id) as number | string;
    if (this.#calls[key] === undefined) return;
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- in place of a Map, see above
    delete this.#calls[key];
    this.#size -= 1;
  }

  /** All of them, by their ids: where these only grow, the oldest first. */
  all(): C[] {
    return Object.values(this.#calls);
  }
}
