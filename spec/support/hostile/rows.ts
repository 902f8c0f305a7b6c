import { expect, it } from '@jest/globals';
import { firstValueFrom, skip } from 'rxjs';
import {
  type ClientOptions,
  type HttpOptions,
  type McpClient,
  TimeoutError,
  type WarningKind,
} from '../../../src/index.js';
import { watch } from '../client/watch.js';

export type Era = 'modern' | 'legacy';
export const ERAS: readonly Era[] = ['modern', 'legacy'];

/** How a call ends. */
export type Outcome = { readonly value: unknown } | { readonly error: object };

/** It is answered, with a value that matches. */
export const gives = (value: unknown): Outcome => ({ value });
/** It errors with this class, and with these facts. */
export const fails = (name: string, facts: object = {}): Outcome => ({ error: { name, ...facts } });

/** One thing a server does, and what a client is to make of it. */
export interface Row {
  /** What the server does: the name of its deed. */
  readonly server: string;
  readonly outcome: Outcome;
  /** Over HTTP, where that is another one. */
  readonly onHttp?: Outcome;
  /** Within how many ms, by the client's own options. Default 20 000: it ends by itself, long before. */
  readonly boundMs?: number;
  /** Why the outcome is a timeout. */
  readonly because?: string;
  /** What is called. Default: the tool `deed`. */
  readonly ask?: (client: McpClient, bound: { readonly timeoutMs: number }) => Promise<unknown>;
  /**
   * Whether the next call is answered, on this connection or, where the server is gone, on the next. `'anew'`: the call
   * after the end of the connection is noticed; what is written before may or may not be read. Default true.
   */
  readonly lives?: boolean | 'anew';
  /** The warnings there are to be, of each kind at least one. None means that there is to be none, but over HTTP. */
  readonly warns?: readonly WarningKind[];
  /** Default: both. */
  readonly eras?: readonly Era[];
  /** `headers` are for HTTP alone. */
  readonly options?: ClientOptions & Pick<HttpOptions, 'headers'>;
  /** The deed is done before any call can be answered. */
  readonly cold?: boolean;
  /** What else is to hold. */
  readonly check?: (client: McpClient) => unknown;
}

/** A row whose outcome is that nothing comes, and the reason why nothing better can be had. */
export const timesOut = (because: string, boundMs = 100): Pick<Row, 'outcome' | 'because' | 'boundMs'> => ({
  outcome: fails('TimeoutError', { timeoutMs: boundMs }),
  because,
  boundMs,
});

export const HELLO = { content: [{ type: 'text', text: 'hello' }] };
export const BOUND_MS = 20_000;
/** No warning is longer, whatever a server says: in characters. */
const LONGEST = 2_000;
/** The deed did no harm. */
export const ANSWERED = gives(expect.objectContaining(HELLO));
/** The call was lost on its way: it ran, or it did not. */
export const LOST = fails('OutcomeUnknownError', { method: 'tools/call' });
/** The answer is none. */
export const INVALID = fails('InvalidMessageError', { method: 'tools/call' });

/** Makes the tools of a server declarations for a model, and gives their names. */
export const declared: NonNullable<Row['ask']> = async (client, bound) =>
  (await client.promises.toolsForLlm(bound)).map((tool) => tool.function.name);

/** Calls the tool `deed` for a model, and gives the answer to the call. */
export const called: NonNullable<Row['ask']> = async (client) =>
  (
    await client.promises.executeToolCalls([
      { id: 'c1', type: 'function', function: { name: 'deed', arguments: '{}' } },
    ])
  )[0];

/** An answer to the call of a model, of whatever content. */
export const REPLIED = gives(
  expect.objectContaining({ role: 'tool', tool_call_id: 'c1', content: expect.any(String) }),
);

/** A client of the server that does it, and what is looked at afterwards: `gone` resolves when nothing of it is left. */
export interface Stage {
  readonly client: McpClient;
  readonly gone: () => Promise<unknown>;
}

const outcomeOf = async (call: Promise<unknown>): Promise<Outcome> => {
  try {
    return { value: await call };
  } catch (reason) {
    return { error: reason as object };
  }
};

const LISTENED = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'] as const;

/** What was put there to end servers with this process stays for a second more. */
const isHook = (listener: object): boolean => Symbol.for('rx-mcp.last-moment') in listener;
const listeners = (): readonly number[] =>
  LISTENED.map((name) => process.listeners(name as 'exit').filter((each) => !isHook(each)).length);

const callDeed: NonNullable<Row['ask']> = (client, bound) => client.promises.callTool('deed', {}, bound);

/** Plays a row: the outcome, its bound, the life of the connection, and that nothing is left. */
export const play = async (row: Row, wanted: Outcome, start: () => Promise<Stage>, strict: boolean): Promise<void> => {
  const { boundMs = BOUND_MS, ask = callDeed, lives = true, warns = [], cold = false } = row;
  const before = listeners();
  const { client, gone } = await start();
  const warnings = watch(client.warnings$).values;
  const states = watch(client.state$);
  try {
    if (!cold) expect(await client.promises.callTool('greet', {}, { timeoutMs: BOUND_MS })).toMatchObject(HELLO);
    const seen = await outcomeOf(ask(client, { timeoutMs: boundMs }));
    if ('value' in wanted) expect(seen).toEqual({ value: wanted.value });
    else expect(seen).toMatchObject(wanted);
    const late = 'error' in seen && seen.error instanceof TimeoutError;
    expect([late, late && row.because === undefined]).toEqual([row.because !== undefined, false]);
    while (lives === 'anew' && states.values.at(-1)?.status === 'connected')
      await firstValueFrom(client.state$.pipe(skip(1)));
    if (lives !== false)
      expect(await client.promises.callTool('greet', {}, { timeoutMs: BOUND_MS })).toMatchObject(HELLO);
    row.check?.(client);
    const kinds = [...new Set(warnings.map(({ kind }) => kind))].sort();
    if (strict) expect({ kinds, warnings }).toMatchObject({ kinds: [...warns].sort() });
    expect(Math.max(0, ...warnings.map(({ message }) => message.length))).toBeLessThan(LONGEST);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  } finally {
    // Would wait for what is still in flight, longer than a spec may take: nothing is.
    await client.close({ drainMs: 600_000 });
    await gone();
  }
  expect(listeners()).toEqual(before);
};

/** Declares the specs of rows, one for each era of each. */
export const declareRows = (
  rows: readonly Row[],
  wire: 'stdio' | 'http',
  start: (era: Era, row: Row) => Promise<Stage>,
): void => {
  for (const row of rows) {
    for (const era of row.eras ?? ERAS) {
      const outcome = wire === 'http' ? (row.onHttp ?? row.outcome) : row.outcome;
      // Over HTTP the answer ends the hearing: what comes behind it may be heard, or not.
      const timeless = wire === 'http' && row.onHttp !== undefined && row.because !== undefined;
      const own = timeless ? { ...row, because: undefined, boundMs: BOUND_MS } : row;
      it(`${era}: a server that ${row.server}`, () =>
        play(own as Row, outcome, () => start(era, own as Row), wire === 'stdio'));
    }
  }
};
