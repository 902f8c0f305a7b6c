import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { defer, tap, type Observable } from 'rxjs';
import type { Inbound, Outbound } from '../../../src/jsonrpc/index.js';
import { isUnrecorded } from './unrecorded.js';
import { Wire, type Attribution } from './wire.js';

/** One frame as it is kept between the spec that wrote it and the end of the run; one line of JSON. */
export interface FrameRecord {
  readonly spec: string;
  /** The class of the transport. */
  readonly via: string;
  readonly attribution: Attribution;
  readonly frame: unknown;
  /** How often the spec wrote it, ids apart. */
  readonly count: number;
}

/** What is watched of a transport's prototype. */
export interface Recordable {
  send(message: Outbound, hints?: unknown): Observable<never>;
  readonly inbound$: Observable<Inbound>;
  readonly alive: boolean;
}

const CALM = 1_000;

// Ids of an ordinary kind are all the same to a schema; a thousand calls that differ in nothing else are one line.
const alike = (message: Outbound): Outbound =>
  'id' in message && Number.isSafeInteger(message.id) && (message.id as number) > 0 ? { ...message, id: 1 } : message;

/** Begins a record of one spec file, in a file of this process's own under `folder`. */
export const openRecord = (
  folder: string,
  spec: string,
): { watch: (via: string, prototype: Recordable) => void; flush: () => void } => {
  const file = join(folder, `${process.env['JEST_WORKER_ID'] ?? '0'}-${process.pid}.jsonl`);
  const kept = new Map<string, number>();
  let direct = false;

  const write = (): void => {
    if (kept.size === 0) return;
    appendFileSync(file, [...kept].map(([line, count]) => `${line.slice(0, -1)},"count":${count}}\n`).join(''));
    kept.clear();
  };

  const keep = (via: string, attribution: Attribution, frame: Outbound): void => {
    let line: string;
    try {
      line = JSON.stringify({ spec, via, attribution, frame: alike(frame) });
    } catch {
      // What is no JSON never reaches a wire; the transport says so itself.
      return;
    }
    kept.set(line, (kept.get(line) ?? 0) + 1);
    if (direct || kept.size > CALM) write();
  };

  const watch = (via: string, prototype: Recordable): void => {
    const wires = new WeakMap<object, Wire>();
    const wireOf = (transport: object): Wire => {
      const known = wires.get(transport) ?? new Wire();
      wires.set(transport, known);
      return known;
    };

    const { send } = prototype;
    prototype.send = function (this: Recordable, message, hints) {
      const sent$ = send.call(this, message, hints);
      return defer(() => {
        // A wire that has ended writes nothing.
        const attribution = this.alive && !isUnrecorded(this) ? wireOf(this).out(message) : undefined;
        if (attribution !== undefined) keep(via, attribution, message);
        return sent$;
      });
    };

    // Where the class has a getter, what comes in is seen as well: the version a server answers, and what it asks.
    const inbound$ = Object.getOwnPropertyDescriptor(prototype, 'inbound$');
    const get = inbound$?.get as ((this: Recordable) => Observable<Inbound>) | undefined;
    if (get === undefined) return;
    const seen = new WeakMap<object, Observable<Inbound>>();
    Object.defineProperty(prototype, 'inbound$', {
      ...inbound$,
      get(this: Recordable) {
        const wire = wireOf(this);
        const watched$ = seen.get(this) ?? get.call(this).pipe(tap({ next: (message) => wire.in(message) }));
        seen.set(this, watched$);
        return watched$;
      },
    });
  };

  const flush = (): void => {
    write();
    // What a spec writes in a hook of its own that runs after this one is not lost.
    direct = true;
  };

  return { watch, flush };
};
