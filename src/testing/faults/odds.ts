import { isInvalid, parseInbound } from '../../jsonrpc/index.js';
import { textOf } from '../text-of.js';
import { Dice } from './dice.js';
import type { Fault, FaultPlan, FaultyMessage } from './plan.js';

/** What becomes of one message. */
export interface Fate {
  /** What arrives in its place: nothing, the message, several. */
  readonly messages: readonly FaultyMessage[];
  readonly delayMs: number;
  readonly behind?: { readonly by: number; readonly ms: number } | undefined;
  /** Given: the wire dies. */
  readonly cut?: Fault | undefined;
}

const isAt = ({ at }: Fault, message: FaultyMessage, nth: number): boolean => {
  if (at === undefined) return true;
  if (typeof at === 'function') return at(message, nth);
  return typeof at === 'number' ? at === nth : at.includes(nth);
};

/** Decides what becomes of each message of a wire, over all its lives. */
export class Odds {
  readonly #plan: FaultPlan;
  readonly #dice: Dice;
  readonly #counts = { in: 0, out: 0 };

  constructor(plan: FaultPlan) {
    this.#plan = plan;
    this.#dice = new Dice(plan.seed ?? 1);
  }

  fateOf(direction: 'in' | 'out', message: FaultyMessage): Fate {
    this.#counts[direction] += 1;
    const nth = this.#counts[direction];
    let fate: Fate = { messages: [message], delayMs: 0 };
    for (const fault of this.#plan.faults) {
      const { kind, chance = 1 } = fault;
      if ((fault.direction ?? 'in') !== direction || !isAt(fault, message, nth)) continue;
      // Also where it is certain, so that a chance that is changed changes nothing else.
      if (this.#dice.roll() >= chance) continue;
      fate = this.#struck(fate, fault, direction);
      this.#plan.onFault?.({ kind, direction, nth, message });
      if (fate.cut !== undefined) break;
    }
    return fate;
  }

  #struck(fate: Fate, fault: Fault, direction: 'in' | 'out'): Fate {
    const { messages } = fate;
    const { ms = 100, by = 1 } = fault;
    switch (fault.kind) {
      case 'delay':
        return { ...fate, delayMs: fate.delayMs + ms };
      case 'reorder':
        return { ...fate, behind: { by, ms } };
      case 'drop':
        return { ...fate, messages: [] };
      case 'duplicate':
        return { ...fate, messages: messages.flatMap((message) => [message, message]) };
      case 'corrupt':
        return { ...fate, messages: this.#rewritten(messages, direction, (text) => this.#corrupted(text)) };
      case 'truncate':
        return {
          ...fate,
          messages: this.#rewritten(messages, direction, (text) => text.slice(0, this.#dice.below(text.length))),
        };
      case 'cut':
        return { ...fate, cut: fault };
    }
  }

  #corrupted(text: string): string {
    const place = this.#dice.below(text.length);
    const old = text.charCodeAt(place);
    // Another character that can be seen; a step from 1 to 93 around the 94 of them never leads back.
    const base = old >= 33 && old <= 126 ? old - 33 : 0;
    const other = String.fromCharCode(33 + ((base + 1 + this.#dice.below(93)) % 94));
    return text.slice(0, place) + other + text.slice(place + 1);
  }

  #rewritten(
    messages: readonly FaultyMessage[],
    direction: 'in' | 'out',
    rewrite: (text: string) => string,
  ): readonly FaultyMessage[] {
    return messages.flatMap((message): readonly FaultyMessage[] => {
      // What is junk already stays it.
      if ('invalid' in message) return [message];
      const arrived = parseInbound(rewrite(textOf(message)));
      return direction === 'in' ? arrived : arrived.filter((each) => !isInvalid(each));
    });
  }
}
