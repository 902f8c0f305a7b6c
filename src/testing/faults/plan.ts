import { asyncScheduler, type SchedulerLike } from 'rxjs';
import { OptionError } from '../../errors/index.js';
import { isObject, type Inbound, type Outbound } from '../../jsonrpc/index.js';
import { callback, type Check, checkMembers, checkOptions, milliseconds, oneOf, whole } from '../../jsonrpc/checks.js';

/** What can happen to a message; see {@link Fault}. */
export type FaultKind = 'delay' | 'drop' | 'duplicate' | 'reorder' | 'corrupt' | 'truncate' | 'cut';

/** A message on its way, in either direction. */
export type FaultyMessage = Inbound | Outbound;

/**
 * One thing that goes wrong, and when. `delay`: it arrives `ms` later, and what is behind it no sooner. `drop`: it is lost, and
 * nobody is told. `duplicate`: it comes twice. `reorder`: it lets the next `by` messages of its direction pass, or waits `ms`.
 * `corrupt`: one character of its text is another. `truncate`: its text ends early. `cut`: the wire dies in its place. What is
 * no message any more after `corrupt` or `truncate` arrives as an `InvalidMessage`; on its way out it arrives nowhere.
 */
export interface Fault {
  /** What happens. */
  readonly kind: FaultKind;
  /** `in` is from the server. Default `in`. */
  readonly direction?: 'in' | 'out' | undefined;
  /**
   * To which messages of the direction: the n-th, counted from 1 over all lives of the wire; or a question asked of each. Default: to all,
   * as far as `chance` goes.
   */
  readonly at?: number | readonly number[] | ((message: FaultyMessage, nth: number) => boolean) | undefined;
  /** How probable it is where `at` says so, from 0 to 1; decided by the seed of the plan. Default 1. */
  readonly chance?: number | undefined;
  /** Of `delay` and `reorder`, in ms. Default 100. */
  readonly ms?: number | undefined;
  /** Of `reorder`: how many messages pass. Default 1. */
  readonly by?: number | undefined;
  /** Of `cut`: what `inbound$` errors with. Default a `TransportError`. */
  readonly reason?: unknown;
}

/** A fault that happened. */
export interface FaultStrike {
  readonly kind: FaultKind;
  readonly direction: 'in' | 'out';
  /** Which message of the direction it was, counted from 1. */
  readonly nth: number;
  readonly message: FaultyMessage;
}

/** What goes wrong on a wire. An unknown option is an `OptionError` that names it. */
export interface FaultPlan {
  /** Each is asked about each message, in this order; several may strike the same one. */
  readonly faults: readonly Fault[];
  /** The same seed and the same messages have the same faults. A whole number. Default 1. */
  readonly seed?: number | undefined;
  /** Whose time `delay` and `reorder` take. Default: `asyncScheduler`, which `TestScheduler` makes virtual. */
  readonly scheduler?: SchedulerLike | undefined;
  /** Told of each fault as it happens. What it or an `at` throws ends the wire, or, of a message on its way out, fails that. */
  readonly onFault?: ((strike: FaultStrike) => void) | undefined;
}

const KINDS: readonly FaultKind[] = ['delay', 'drop', 'duplicate', 'reorder', 'corrupt', 'truncate', 'cut'];

const isPlace = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 1;

const at: Check = (value, name) => {
  // A hole in a list is skipped by `every`.
  if (typeof value === 'function' || isPlace(value) || (Array.isArray(value) && Array.from(value).every(isPlace))) {
    if (Array.isArray(value) && value.length === 0)
      throw new OptionError(
        name,
        'it is empty, so that the fault never strikes: give whole numbers from 1, or leave it out for all messages',
      );
    return;
  }
  throw new OptionError(name, 'give a whole number from 1, a list of them, or a function');
};

const chance: Check = (value, name) => {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1))
    throw new OptionError(name, 'give a number from 0 to 1');
};

const FAULT_CHECKS: Readonly<Record<keyof Fault, Check>> = {
  kind: oneOf(...KINDS),
  direction: oneOf('in', 'out'),
  at,
  chance,
  ms: milliseconds(0),
  by: whole(1),
  reason: () => undefined,
};

/** What means something for some kinds alone. */
const OF_KINDS: Readonly<Partial<Record<keyof Fault, readonly FaultKind[]>>> = {
  ms: ['delay', 'reorder'],
  by: ['reorder'],
  reason: ['cut'],
};

const faults: Check = (value, name) => {
  if (!Array.isArray(value)) throw new OptionError(name, 'give a list of faults');
  Array.from(value as readonly unknown[]).forEach((fault, index) => {
    checkMembers(fault, FAULT_CHECKS, `${name}.${index}`);
    const { kind, ...members } = fault as Fault;
    FAULT_CHECKS.kind(kind, `${name}.${index}.kind`);
    for (const [member, kinds] of Object.entries(OF_KINDS))
      if (members[member as keyof typeof members] !== undefined && !kinds.includes(kind))
        throw new OptionError(`${name}.${index}.${member}`, `it belongs to ${kinds.join(' and ')}, not to ${kind}`);
  });
};

const PLAN_CHECKS: Readonly<Record<keyof FaultPlan, Check>> = {
  faults,
  seed: (value, name) => {
    if (!Number.isSafeInteger(value)) throw new OptionError(name, 'give a whole number');
  },
  scheduler: (value, name) => {
    if (!isObject(value) || typeof value['schedule'] !== 'function')
      throw new OptionError(name, 'give a scheduler of rxjs');
  },
  onFault: callback,
};

/** A plan that has been checked, and completed. Throws an `OptionError` that names the culprit, as `faults.0.kind`. */
export const readPlan = (plan: FaultPlan): FaultPlan & { readonly scheduler: SchedulerLike } => {
  checkOptions(plan, PLAN_CHECKS, 'plan');
  faults(plan.faults, 'faults');
  return { ...plan, scheduler: plan.scheduler ?? asyncScheduler };
};
