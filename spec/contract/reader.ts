import { firstValueFrom, Subject, type Subscription } from 'rxjs';
import type { Inbound } from '../../src/jsonrpc/index.js';
import type { Connector, Transport } from '../../src/transport/index.js';

/** Whether a message answers a request of the harness's own, which no spec looks at. */
export const isOfHarness = (message: Inbound): boolean => 'id' in message && String(message.id).startsWith('harness:');

/** Reads a transport to its end, and waits for what it reads. */
export class Reader {
  readonly messages: Inbound[] = [];
  readonly errors: unknown[] = [];
  completions = 0;
  readonly #changes = new Subject<void>();
  readonly subscription: Subscription;

  constructor(transport: Transport, onMessage: (message: Inbound) => void = () => undefined) {
    this.subscription = transport.inbound$.subscribe({
      next: (message) => {
        if (isOfHarness(message)) return;
        this.messages.push(message);
        onMessage(message);
        this.#changes.next();
      },
      error: (reason: unknown) => {
        this.errors.push(reason);
        this.#changes.next();
      },
      complete: () => {
        this.completions += 1;
        this.#changes.next();
      },
    });
  }

  get ended(): boolean {
    return this.errors.length + this.completions > 0;
  }

  /** The `result.echo` of every answer so far. */
  get echoes(): readonly unknown[] {
    return this.messages.flatMap((message) =>
      'result' in message ? [(message.result as { echo?: unknown }).echo] : [],
    );
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await firstValueFrom(this.#changes);
  }

  async count(messages: number): Promise<readonly Inbound[]> {
    await this.until(() => this.messages.length >= messages || this.ended);
    return this.messages;
  }

  async end(): Promise<void> {
    await this.until(() => this.ended);
  }
}

/** One life of a connector. */
export interface Life {
  readonly transport: Transport;
  readonly subscription: Subscription;
}

/** Opens one life of a connector and waits for its transport. */
export const openLife = async (connector: Connector): Promise<Life> =>
  new Promise<Life>((resolve, reject) => {
    const subscription = connector().subscribe({
      // The transport may come before `subscribe` has returned.
      next: (transport) => queueMicrotask(() => resolve({ transport, subscription })),
      error: reject,
    });
  });

/** What became of one `send`. */
export interface Sending {
  readonly subscription: Subscription;
  readonly emitted: readonly unknown[];
  /** Resolves at its end: with `'complete'`, or with what it errored with. */
  readonly end: Promise<unknown>;
}

/** Subscribes to one `send`. */
export const sending = (transport: Transport, message: Parameters<Transport['send']>[0]): Sending => {
  const emitted: unknown[] = [];
  let settle: (outcome: unknown) => void = () => undefined;
  const end = new Promise<unknown>((resolve) => {
    settle = resolve;
  });
  const subscription = transport.send(message).subscribe({
    next: (value: unknown) => emitted.push(value),
    error: settle,
    complete: () => settle('complete'),
  });
  return { subscription, emitted, end };
};
