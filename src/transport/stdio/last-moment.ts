type Listener = (...args: unknown[]) => void;

/** A process whose end can be foreseen: `process`, as far as it is needed here. */
export interface Host {
  readonly pid: number;
  readonly platform: NodeJS.Platform;
  kill(pid: number, signal: NodeJS.Signals): unknown;
  on(event: string, listener: Listener): unknown;
  prependListener(event: string, listener: Listener): unknown;
  off(event: string, listener: Listener): unknown;
  listeners(event: string): readonly object[];
}

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const WINDOWS_SIGNALS: readonly NodeJS.Signals[] = [...SIGNALS, 'SIGBREAK'];

// Of the global registry: another copy of this module, or another version of it, is to know it too.
const MARK = Symbol.for('rx-mcp.last-moment');

const mark = (listener: Listener): Listener => Object.assign(listener, { [MARK]: true });
const isMarked = (listener: object): boolean => MARK in listener;

const countOf = (emitter: unknown): number =>
  typeof emitter === 'object' && emitter !== null && 'count' in emitter ? Number(emitter.count) : 0;

/**
 * How many listeners of a signal belong to copies of signal-exit, which is part of many programs for terminals. They do
 * nothing unless they are alone, as the ones here do: if each took the other for the application, no signal would end the
 * process any more. Versions 4 and 3 each count themselves, in these places; they listen to all signals but one.
 */
const signalExits = (host: Host, signal: NodeJS.Signals): number =>
  signal === 'SIGBREAK'
    ? 0
    : countOf(Reflect.get(globalThis, Symbol.for('signal-exit emitter'))) +
      countOf(Reflect.get(host, '__signal_exit_emitter__'));

/**
 * Does something at the last moment of a process, once: when it exits, and when SIGINT, SIGTERM or SIGHUP (on Windows
 * SIGBREAK as well) comes that the application does not listen to, which then ends the process as it would have without
 * this. A signal with any listener of the application, whenever and however that was registered, is the application's:
 * nothing is done. The function that comes back takes it back; once it was done nothing is left of it on the process.
 *
 * @param act what is done, before it returns; must not throw
 * @param host the process that is meant; default: this one
 */
export const atLastMoment = (act: () => void, host: Host = process): (() => void) => {
  const isWindows = host.platform === 'win32';
  const signals = isWindows ? WINDOWS_SIGNALS : SIGNALS;
  const justLeft = new Set<unknown>();

  const isApplications = (signal: NodeJS.Signals): boolean =>
    justLeft.has(signal) ||
    host.listeners(signal).filter((listener) => !isMarked(listener)).length > signalExits(host, signal);

  // A listener for one time is taken away just before it is called: what handles a signal may not be there any more when
  // the signal gets here. Microtasks run when all listeners had their turn.
  const onRemoved = mark((event, listener) => {
    if (isMarked(listener as object) || !signals.includes(event as NodeJS.Signals)) return;
    justLeft.add(event);
    queueMicrotask(() => justLeft.delete(event));
  });

  const onExit = mark(() => {
    act();
    unhook();
  });

  const onSignal = (signal: NodeJS.Signals): Listener =>
    mark(() => {
      if (isApplications(signal)) return;
      act();
      unhook();
      // Another copy is called next, has things of its own to end, and then does this.
      if (host.listeners(signal).some(isMarked)) return;
      // Windows knows no other ends of a process than its termination, and refuses the name of some signals.
      host.kill(host.pid, isWindows ? 'SIGTERM' : signal);
    });

  const listeners: readonly (readonly [event: string, listener: Listener])[] = [
    ...signals.map((signal) => [signal, onSignal(signal)] as const),
    ['removeListener', onRemoved],
  ];

  const unhook = (): void => {
    host.off('exit', onExit);
    for (const [event, listener] of listeners) host.off(event, listener);
  };

  for (const [event, listener] of listeners) host.on(event, listener);
  // The first, since one that throws keeps those behind it from being called.
  host.prependListener('exit', onExit);
  return unhook;
};
