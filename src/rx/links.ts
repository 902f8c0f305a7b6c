/** What stands in {@link Links}: it belongs to one list at a time. */
export interface Link<T> {
  previous?: T | undefined;
  next?: T | undefined;
}

/**
 * Things that come and go, in the order in which they came; adding and removing cost the same however many there are.
 *
 * In place of a `Set` where thousands come and go in a second: V8 chains the outgrown tables of a `Set` or a `Map` to
 * the newer ones, so that one of them that has grown old keeps all that came after it from being collected young.
 */
export class Links<T extends Link<T>> implements Iterable<T> {
  #first: T | undefined;
  #last: T | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The one that has been there longest. */
  get first(): T | undefined {
    return this.#first;
  }

  /** Puts one that is in no list at the end. */
  add(link: T): void {
    link.previous = this.#last;
    if (this.#last === undefined) this.#first = link;
    else this.#last.next = link;
    this.#last = link;
    this.#size += 1;
  }

  /** False where it is not in this list, nor in any. */
  delete(link: T): boolean {
    if (link.previous === undefined && this.#first !== link) return false;
    if (link.previous === undefined) this.#first = link.next;
    else link.previous.next = link.next;
    if (link.next === undefined) this.#last = link.previous;
    else link.next.previous = link.previous;
    // One that is gone must lead to nobody.
    link.previous = undefined;
    link.next = undefined;
    this.#size -= 1;
    return true;
  }

  /** From the first to the last. Nothing may be removed meanwhile but what was given last. */
  *[Symbol.iterator](): Iterator<T> {
    for (let link = this.#first; link !== undefined;) {
      const { next } = link;
      yield link;
      link = next;
    }
  }
}
