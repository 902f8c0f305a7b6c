import { asyncScheduler, map, Observable, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import type { McpError } from '../../src/errors/index.js';
import type { Inbound, Outbound } from '../../src/jsonrpc/index.js';
import { EraCache, type Life, type NegotiationTerms } from '../../src/protocol/index.js';
import { Negotiator } from '../../src/protocol/negotiate.js';
import { Channels, type Warning } from '../../src/session/index.js';
import { Session } from '../../src/session/session.js';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import type { Transport, WireForm } from '../../src/transport/index.js';
import { unrecorded } from './frames/unrecorded.js';

/** A client of both eras that prefers the published modern revision, with a probe of five seconds. */
export const TERMS: NegotiationTerms = {
  protocolVersions: ['2026-07-28'],
  identity: { clientInfo: { name: 'spec', version: '1.0.0' }, capabilities: {} },
  probeTimeoutMs: 5_000,
  era: 'auto',
  cache: new EraCache(),
  key: undefined,
  reopens: true,
  forms: false,
};

/** One wire, and where its frames can be seen as they leave. */
export interface Server extends Transport {
  readonly sent$: Observable<Outbound>;
}

/** What one client went through, as far as it has got. */
export interface Negotiation {
  /** Each thing that happened: the moment in ms, which life of the wire, and what. */
  readonly trace: string[];
  /** The lives that are ready for use, in order. */
  readonly ready: Life[];
  readonly errors: McpError[];
  readonly warnings: Warning[];
  /** The wire form that was asked for, for each life. */
  readonly forms: unknown[];
  readonly negotiator: Negotiator;
  /** Begins to open a life; returns how to leave it. */
  open(): () => void;
}

const nameOf = (message: Outbound): string => {
  if (!('method' in message))
    return `answer ${JSON.stringify(message.id)} ${'error' in message ? String(message.error.code) : 'ok'}`;
  const { method, params } = message;
  const meta = params?.['_meta'] as Record<string, unknown> | undefined;
  const version = params?.['protocolVersion'] ?? meta?.['io.modelcontextprotocol/protocolVersion'];
  return typeof version === 'string' ? `${method} ${version}` : method;
};

/**
 * A client that negotiates with one server after the other: each life of the wire is the next of `servers`. One life
 * more than there are servers fails the negotiation.
 */
export const negotiation = (servers: readonly (() => Server)[], terms: Partial<NegotiationTerms> = {}): Negotiation => {
  const trace: string[] = [];
  const ready: Life[] = [];
  const errors: McpError[] = [];
  const warnings: Warning[] = [];
  const forms: unknown[] = [];
  const channels = new Channels({ onWarn: (warning) => warnings.push(warning) });
  let lives = 0;

  const say = (life: number, what: string): void => {
    trace.push(`${asyncScheduler.now()} #${life} ${what}`);
  };

  const open = (form?: WireForm): Observable<Session> =>
    new Observable((subscriber) => {
      forms.push(form);
      const make = servers[lives];
      lives += 1;
      const life = lives;
      if (make === undefined) {
        subscriber.error(new Error(`there is no life ${life} of this wire`));
        return;
      }
      const server = make();
      // There is no schema for a revision that does not exist.
      if (terms.protocolVersions !== undefined) unrecorded(server);
      server.sent$.subscribe({ next: (message) => say(life, nameOf(message)) });
      const session = new Session(server, channels);
      subscriber.add(() => {
        session.close();
        void server.close();
        say(life, 'closed');
      });
      subscriber.next(session);
    });

  const negotiator = new Negotiator(open, { ...TERMS, cache: new EraCache(), ...terms });
  return {
    trace,
    ready,
    errors,
    warnings,
    forms,
    negotiator,
    open: () => {
      const opening = negotiator.open().subscribe({
        next: (life) => {
          ready.push(life);
          const { era, protocolVersion } = life.agreement.server;
          say(lives, `ready ${era} ${protocolVersion}`);
        },
        error: (reason: McpError) => {
          errors.push(reason);
          say(lives, reason.name);
        },
      });
      return () => {
        opening.unsubscribe();
      };
    },
  };
};

/** One life of a scripted server, and the session on it. */
export const sessionOn = (
  make: () => ScriptedTransport,
): { readonly session: Session; readonly made: ScriptedTransport; readonly warnings: Warning[] } => {
  const warnings: Warning[] = [];
  const made = make();
  return { made, warnings, session: new Session(made, new Channels({ onWarn: (warning) => warnings.push(warning) })) };
};

/** What a server was sent so far, each message by its method and version. */
export const sentTo = (made: ScriptedTransport): string[] => made.sent.map(nameOf);

/** Runs in virtual time what is scheduled in it. */
export const virtually = (body: () => void): void => {
  new TestScheduler(() => undefined).run(body);
};

/** Does something at a moment of virtual time. */
export const at = (ms: number, work: () => void): void => {
  asyncScheduler.schedule(work, ms);
};

/** An answer that takes its time. */
export const after = <T>(ms: number, answer: T): Observable<T> => timer(ms).pipe(map(() => answer));

/** Opens one life in virtual time, and goes on until nothing more happens. */
export const negotiate = (servers: readonly (() => Server)[], terms: Partial<NegotiationTerms> = {}): Negotiation => {
  const one = negotiation(servers, terms);
  virtually(() => {
    one.open();
  });
  return one;
};

const { error, silence, verbatim } = scriptedTransport;

/** What a server of the published modern revision answers to `server/discover`. */
export const discovered = (supportedVersions: readonly string[] = ['2026-07-28']): object => ({
  supportedVersions,
  capabilities: { tools: {} },
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'modern', version: '1' } },
});

/** What a legacy server answers to `initialize`. */
export const initialized = (protocolVersion = '2025-11-25'): object => ({
  protocolVersion,
  capabilities: { tools: {} },
  serverInfo: { name: 'legacy', version: '1' },
});

/** The refusal of a version that names others. */
export const refused = (supported?: unknown) =>
  error(-32022, 'Unsupported protocol version', supported === undefined ? undefined : { supported, requested: 'x' });

/** A server whose two openings are scripted; unscripted, it knows neither. */
export const server =
  (opening: { readonly discover?: unknown; readonly initialize?: unknown }, seen?: (made: ScriptedTransport) => void) =>
  (): ScriptedTransport => {
    const unknown = error(-32601, 'Method not found');
    const { discover = unknown, initialize = unknown } = opening;
    const made = scriptedTransport(
      { 'server/discover': discover as object, initialize: initialize as object },
      { era: 'legacy' },
    );
    seen?.(made);
    return made;
  };

/** Puts a message on a server's wire as it is. */
export const push = (made: ScriptedTransport, message: Omit<Inbound, 'jsonrpc'> & object): void => {
  made.pushRaw(JSON.stringify({ jsonrpc: '2.0', ...message }));
};

export { error, silence, verbatim };
