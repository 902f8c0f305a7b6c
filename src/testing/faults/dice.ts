/** Numbers that look random, and are the same for the same seed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    // Zero is the one state that never changes.
    const low = seed | 0;
    // What does not fit into 32 bits counts as well.
    const high = (seed - low) / 0x1_0000_0000;
    const state = Math.imul(low, 0x9e37_79b1) ^ Math.imul(high | 0, 0xc2b2_ae35) ^ 0x85eb_ca6b;
    this.#state = state === 0 ? 1 : state;
  }

  /** At least 0, less than 1. */
  roll(): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return (state >>> 0) / 0x1_0000_0000;
  }

  /** A whole number from 0, less than `sides`. */
  below(sides: number): number {
    return Math.floor(this.roll() * sides);
  }
}
