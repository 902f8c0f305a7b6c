/** How a managed server is. */
export type ManagedStatus =
  /** nothing was started yet */
  | 'configured'
  /** it is being started, or started again after a death */
  | 'starting'
  | 'connected'
  /** it could not be started, or died too often; it is not started again */
  | 'failed'
  /** for good, by `stop()` */
  | 'stopped';

/** The state of a managed server. */
export interface ManagedState {
  readonly status: ManagedStatus;
  /** Why it failed, or is being started again: a sentence for a person, with the last line of stderr. It holds no secret of the config. */
  readonly reason?: string | undefined;
  /** The error behind that, as it was raised; what it says of a process is without the secrets of the config. Show `reason`. */
  readonly error?: unknown;
  /** How often it was started again. */
  readonly restarts: number;
}
