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
  /** One that came when there was none: most clients have one call at a time. */
  #only: C | undefined;
  #onlyId: RequestId | undefined;
  /** All others. Whole numbers, which our own ids are, are no properties but elements. None of its keys is inherited: see `keyOf`. */
  #others: Record<number | string, C> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Takes in a call whose id no other one has. */
  add(call: C): void {
    if (this.#size === 0) {
      this.#only = call;
      this.#onlyId = call.id;
    } else (this.#others ??= {})[keyOf(call.id) as number | string] = call;
    this.#size += 1;
  }

  /** The call of that very id. */
  get(id: unknown): C | undefined {
    if (id === this.#onlyId) return this.#only;
    const key = keyOf(id);
    return key === undefined ? undefined : this.#others?.[key];
  }

  /** Forgets a call. Idempotent. */
  delete({ id }: C): void {
    if (id === this.#onlyId) {
      this.#only = undefined;
      this.#onlyId = undefined;
    } else {
      const key = keyOf(id) as number | string;
      if (this.#others?.[key] === undefined) return;
      // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- in place of a Map, see above
      delete this.#others[key];
    }
    this.#size -= 1;
  }

  /** All of them, by their ids: where these only grow, the oldest first. */
  all(): C[] {
    const others = Object.values(this.#others ?? {});
    return this.#only === undefined ? others : [this.#only, ...others];
  }
}
