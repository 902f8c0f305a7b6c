import { isObservable } from 'rxjs';
import { messageOf, OptionError } from '../errors/index.js';
import { isObject, type JsonRpcNotification, type JsonRpcRequest } from '../jsonrpc/index.js';
import { ScriptedNotice, ScriptedReply, type ScriptedAnswer, type ScriptedParams } from './answers.js';
import { NOTIFICATIONS, REQUESTS, type ScriptedNotificationMethod, type ScriptedRequestMethod } from './methods.js';

/** The params of the calls scripts look into most often, as they are typed for a function of the script. */
export interface ScriptedCallParams {
  'tools/call': ScriptedParams & { readonly name: string; readonly arguments?: ScriptedParams | undefined };
  'prompts/get': ScriptedParams & {
    readonly name: string;
    readonly arguments?: Readonly<Record<string, string>> | undefined;
  };
  'resources/read': ScriptedParams & { readonly uri: string };
}

type ParamsOf<M extends string> = M extends keyof ScriptedCallParams ? ScriptedCallParams[M] : ScriptedParams;

/** What a script has for one request: an answer, or a function that makes one for each request. */
export type ScriptEntry<M extends string = string> =
  ScriptedAnswer | ((params: ParamsOf<M>, request: JsonRpcRequest) => ScriptedAnswer);

/** What a script has for one notification: a function that is told of it. What it returns is ignored. */
export type ScriptListener = (params: ScriptedParams, notification: JsonRpcNotification) => unknown;

/** A server as a table: what it answers to each method of the protocol it knows. */
export type Script = { readonly [M in ScriptedRequestMethod]?: ScriptEntry<M> | undefined } & {
  readonly [M in ScriptedNotificationMethod]?: ScriptListener | undefined;
};

/** A script that has been checked. */
export type Entries = ReadonlyMap<string, ScriptEntry>;

const KNOWN: ReadonlySet<string> = new Set<string>([...REQUESTS, ...NOTIFICATIONS]);

export const isThenable = (value: object): value is PromiseLike<unknown> =>
  typeof (value as { then?: unknown }).then === 'function';

/** Why a value cannot be the answer to a request; `undefined` if it can. */
export const faultOfAnswer = (value: unknown): string | undefined => {
  if (value instanceof ScriptedReply) return undefined;
  if (value instanceof ScriptedNotice) return 'a notice is no answer: put it into steps(…), with the answer behind it';
  return isObject(value)
    ? undefined
    : 'an answer is an object (the result), a function, a Promise or an Observable of one, or a reply of scriptedTransport';
};

const check = (method: string, entry: unknown): void => {
  if (typeof entry === 'function') return;
  if (method.startsWith('notifications/')) {
    throw new OptionError(method, 'nothing answers a notification: give a function that is told of it');
  }
  if (isObject(entry) && (isObservable(entry) || isThenable(entry))) return;
  const fault = faultOfAnswer(entry);
  if (fault !== undefined) throw new OptionError(method, fault);
};

const prototypeOf = (value: object): object | null => Object.getPrototypeOf(value) as object | null;

/** What is of a class has its methods where nobody looks, and a symbol is the name of no method. */
const checkKeys = (name: string, value: object): void => {
  for (let from = prototypeOf(value); from !== null && prototypeOf(from) !== null; from = prototypeOf(from)) {
    const [member] = Object.getOwnPropertyNames(from).filter((each) => each !== 'constructor');
    if (member !== undefined)
      throw new OptionError(
        name,
        `${member} is not its own, and would not be looked up: give a plain object, as { 'tools/call': … }, and no object of a class`,
      );
  }
  const [symbol] = Object.getOwnPropertySymbols(value);
  if (symbol !== undefined)
    throw new OptionError(
      name,
      `${String(symbol)} is the name of no method: give methods by text, such as 'tools/call'`,
    );
};

const entryOf = (value: Readonly<Record<string, unknown>>, method: string): unknown => {
  try {
    return value[method];
  } catch (reason) {
    throw new OptionError(
      method,
      `its getter throws (${messageOf(reason)}): give the answer, or a function that makes it`,
    );
  }
};

const table = (name: string, value: unknown): readonly (readonly [string, unknown])[] => {
  if (!isObject(value)) throw new OptionError(name, 'give an object that maps methods to answers');
  checkKeys(name, value);
  return Object.keys(value)
    .map((method) => [method, entryOf(value, method)] as const)
    .filter(([, entry]) => entry !== undefined);
};

/** Reads a script, refusing what is mistyped by an `OptionError` that names the key. */
export const readScript = (script: Script, custom: unknown): Entries => {
  const entries = new Map<string, ScriptEntry>();
  for (const [method, entry] of table('script', script)) {
    if (!KNOWN.has(method)) {
      throw new OptionError(method, 'clients have no such method; if it is meant, give it in the option custom');
    }
    check(method, entry);
    entries.set(method, entry as ScriptEntry);
  }
  for (const [method, entry] of table('custom', custom)) {
    if (KNOWN.has(method)) throw new OptionError(method, 'a method of the protocol: give it in the script');
    check(method, entry);
    entries.set(method, entry as ScriptEntry);
  }
  return entries;
};
