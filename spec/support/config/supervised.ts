import { Observable } from 'rxjs';
import { Gate } from '../../../src/config/managed/gate.js';
import type { ManagedState } from '../../../src/config/managed/state.js';
import { Supervisor, type SupervisorTerms } from '../../../src/config/managed/supervisor.js';
import type { ClientOptions } from '../../../src/index.js';
import { type ScriptedTransport, scriptedTransport } from '../../../src/testing/index.js';
import type { Connector, Transport } from '../../../src/transport/index.js';
import { connect } from '../client/connect.js';
import { watch } from '../client/watch.js';

/** A server with one tool. */
export const healthy = (): ScriptedTransport =>
  scriptedTransport({ 'tools/list': { tools: [{ name: 'add', inputSchema: { type: 'object' } }] } });

/** What a life is: a transport, or what its opening does instead. */
export type Life = ScriptedTransport | Observable<Transport>;

const TERMS: SupervisorTerms = {
  startupTimeoutMs: 1_000,
  maxRestarts: 3,
  restartWindowMs: 60_000,
  restartDelayMs: 0,
};

/** How a spec has its server supervised. */
export interface Supervision extends Partial<SupervisorTerms> {
  readonly client?: ClientOptions;
  readonly failure?: string;
  readonly explain?: (error: unknown) => string;
}

/** A supervised server, whose lives are made one by one. */
export const supervised = (make: (life: number) => Life, options: Supervision = {}) => {
  const { client: own, failure, explain = (error) => (error as Error).message, ...terms } = options;
  const opened: Life[] = [];
  const closed: Life[] = [];
  const lives: Connector = () =>
    new Observable<Transport>((subscriber) => {
      const life = make(opened.length + 1);
      opened.push(life);
      subscriber.add(() => {
        closed.push(life);
        if (!(life instanceof Observable)) void life.close();
      });
      if (life instanceof Observable) return life.subscribe(subscriber);
      subscriber.next(life);
      return undefined;
    });
  const gate = new Gate(lives);
  const client = connect(gate.connector, { era: 'modern', ...own });
  const listed: string[][] = [];
  const supervisor = new Supervisor({
    client,
    gate,
    terms: { ...TERMS, ...terms },
    explain,
    listed: (list) => listed.push(list.map(({ name }) => name)),
    failure,
  });
  const states = watch(supervisor.state$);
  const last = (): ScriptedTransport => opened.at(-1) as ScriptedTransport;
  return { supervisor, client, gate, opened, closed, listed, states, last };
};

/** The statuses of states, in order. */
export const statusesOf = (states: readonly ManagedState[]): string[] => states.map(({ status }) => status);
