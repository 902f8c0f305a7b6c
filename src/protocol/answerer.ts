import {
  catchError,
  concat,
  concatMap,
  defer,
  map,
  type MonoTypeOperatorFunction,
  type Observable,
  of,
  take,
  takeUntil,
  timeout,
} from 'rxjs';
import { excerptOf, messageOf, reasonText } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import { type Answer, answerOf } from '../rx/index.js';
import type { WarningKind } from '../session/index.js';
import type { ServerDescription } from './agreement.js';
import { formIssues, withDefaults } from './elicit-form.js';
import type { ElicitUrlParams, Hooks, Question } from './hooks.js';
import type { CreateMessageRequestParams, ElicitRequestFormParams } from './schemas/index.js';
import { type Answering, CANCEL, type Outcome, type QuestionMethod, REFUSED } from './questions.js';
import { factsOf } from './urls.js';

/** What hooks are asked by. */
export interface AnswererTerms {
  readonly hooks: Hooks;
  /** How long a hook may take, in ms; 0 is without limit. */
  readonly inputTimeoutMs: number;
  /** Ends every hook that is open when it emits. */
  readonly closed$: Observable<unknown>;
  readonly warn: (kind: WarningKind, message: string, detail?: unknown) => void;
}

const DECLINE: Outcome = { result: { action: 'decline' } };
const NO_ROOTS: Outcome = { result: { roots: [] } };

/** A copy by way of JSON; `undefined` of what JSON cannot write. */
const plainCopy = (value: unknown): unknown => {
  try {
    return JSON.parse(JSON.stringify(value)) as unknown;
  } catch {
    return undefined;
  }
};

/** It quotes the form, which is a stranger's. */
const told = (reason: unknown): string => excerptOf(messageOf(reason));

const isBlock = (block: unknown): boolean => isObject(block) && typeof block['type'] === 'string';

/** How a hook ended. */
type Ending<T> = { readonly value: T } | { readonly threw: unknown } | { readonly cancelled: true };

/**
 * Answers the questions of servers by the application's hooks, the same in both eras. Each question is one cold
 * Observable: it emits one outcome and completes, never errors, and unsubscribing abandons the hook.
 */
export class Answerer implements Answering {
  readonly #terms: AnswererTerms;

  constructor(terms: AnswererTerms) {
    this.#terms = terms;
  }

  get hooks(): Hooks {
    return this.#terms.hooks;
  }

  /** The outcome of one question. */
  answer(method: QuestionMethod, params: unknown, server: ServerDescription): Observable<Outcome> {
    if (method === 'roots/list') return this.#roots(server);
    if (!isObject(params)) {
      this.#terms.warn('hook-failed', `${method} came without params, and was declined`, params);
      return of(method === 'elicitation/create' ? DECLINE : REFUSED);
    }
    if (method === 'sampling/createMessage') return this.#sample(params, server);
    return params['mode'] === 'url' ? this.#url(params, server) : this.#form(params, server);
  }

  #form(params: Record<string, unknown>, server: ServerDescription): Observable<Outcome> {
    const { onElicit } = this.#terms.hooks;
    if (onElicit === undefined || (params['mode'] !== undefined && params['mode'] !== 'form')) return of(DECLINE);
    const method = 'elicitation/create';
    // What the hook is given it may change; the check goes by what the server sent.
    const schema = plainCopy(params['requestedSchema']);
    if (schema === undefined && params['requestedSchema'] !== undefined)
      return of(this.#bad(method, "a server's form was not shown: it is too deep", DECLINE));
    const question: Question<ElicitRequestFormParams> = { method, params: params as never, server };
    return this.#ask('onElicit', () => onElicit(question)).pipe(
      concatMap((ending): Observable<Outcome> => {
        const answer = this.#action('onElicit', ending);
        if (answer === undefined) return of('cancelled' in ending ? CANCEL : DECLINE);
        if (answer['action'] !== 'accept') return of({ result: { action: answer['action'] } });
        const given = answer['content'] ?? {};
        if (!isObject(given)) return of(this.#bad('onElicit', 'its content is not an object', DECLINE));
        const content = withDefaults(schema, given);
        return formIssues(schema, content).pipe(
          map((issues) => (issues.length === 0 ? undefined : `is not what the server asked for: ${issues.join('; ')}`)),
          catchError((reason: unknown) => of(`cannot be checked by the server's form: ${told(reason)}`)),
          map((issue) =>
            issue === undefined
              ? this.#sayable('onElicit', { ...answer, content }, DECLINE)
              : this.#bad('onElicit', `its content ${issue}`, DECLINE),
          ),
        );
      }),
      this.#readable('onElicit', DECLINE),
    );
  }

  #url(params: Record<string, unknown>, server: ServerDescription): Observable<Outcome> {
    const { onElicitUrl } = this.#terms.hooks;
    if (onElicitUrl === undefined) return of(DECLINE);
    const facts = factsOf(params['url']);
    if (typeof facts === 'string') {
      return of(this.#bad('elicitation/create', `a server's URL was not shown: ${facts}`, DECLINE));
    }
    const question = { method: 'elicitation/create', params: params as unknown as ElicitUrlParams, server, ...facts };
    return this.#ask('onElicitUrl', () => onElicitUrl(question)).pipe(
      map((ending): Outcome => {
        const answer = this.#action('onElicitUrl', ending);
        if (answer === undefined) return 'cancelled' in ending ? CANCEL : DECLINE;
        // Consent carries no content.
        return { result: { action: answer['action'] }, completed: answer['completed'] === true };
      }),
      this.#readable('onElicitUrl', DECLINE),
    );
  }

  #sample(params: Record<string, unknown>, server: ServerDescription): Observable<Outcome> {
    const { onSample } = this.#terms.hooks;
    if (onSample === undefined) return of(REFUSED);
    const question: Question<CreateMessageRequestParams> = {
      method: 'sampling/createMessage',
      params: params as never,
      server,
    };
    return this.#ask('onSample', () => onSample(question)).pipe(
      map((ending): Outcome => {
        if (!('value' in ending)) return this.#ended('onSample', ending, REFUSED);
        const value: unknown = ending.value;
        if (!isObject(value) || typeof value['model'] !== 'string') {
          return this.#bad('onSample', 'give a message with the name of its model', REFUSED);
        }
        const { content } = value;
        return (Array.isArray(content) ? content : [content]).every(isBlock)
          ? this.#sayable('onSample', { role: 'assistant', ...value }, REFUSED)
          : this.#bad('onSample', 'give a message with content', REFUSED);
      }),
      this.#readable('onSample', REFUSED),
    );
  }

  #roots(server: ServerDescription): Observable<Outcome> {
    const { onListRoots } = this.#terms.hooks;
    if (onListRoots === undefined) return of(NO_ROOTS);
    // A live list answers with what it holds now; it need not end.
    const produce = (): Answer<unknown> =>
      typeof onListRoots === 'function'
        ? onListRoots({ method: 'roots/list', params: undefined, server })
        : onListRoots.pipe(take(1));
    return this.#ask('onListRoots', produce).pipe(
      map((ending): Outcome => {
        if (!('value' in ending)) return this.#ended('onListRoots', ending, NO_ROOTS);
        const { value } = ending;
        const list = isObject(value) ? value['roots'] : value;
        if (!Array.isArray(list)) return this.#bad('onListRoots', 'give a list of roots', NO_ROOTS);
        const roots = list.filter((root) => this.#isRoot(root));
        return this.#sayable('onListRoots', { roots }, NO_ROOTS);
      }),
      this.#readable('onListRoots', NO_ROOTS),
    );
  }

  #isRoot(root: unknown): boolean {
    const uri = isObject(root) ? root['uri'] : undefined;
    const fits = typeof uri === 'string' && uri.startsWith('file://') && URL.canParse(uri);
    if (!fits)
      this.#terms.warn(
        'hook-failed',
        `onListRoots: left out ${JSON.stringify(plainCopy(uri))}, which is no file:// URI`,
        root,
      );
    return fits;
  }

  /** Runs a hook under its clock. Never errors. */
  #ask<T>(hook: string, produce: () => Answer<T>): Observable<Ending<T>> {
    const { inputTimeoutMs, closed$ } = this.#terms;
    const cancelled: Ending<T> = { cancelled: true };
    return defer(() => {
      const answered$ = answerOf(produce).pipe(
        map((value): Ending<T> => ({ value })),
        catchError((threw: unknown) => of<Ending<T>>({ threw })),
        takeUntil(closed$),
      );
      const ending$ = concat(answered$, of(cancelled)).pipe(take(1));
      if (inputTimeoutMs === 0) return ending$;
      return ending$.pipe(
        timeout({
          first: inputTimeoutMs,
          with: () => {
            this.#terms.warn('hook-failed', `${hook} did not answer within ${inputTimeoutMs} ms, and was given up`);
            return of(cancelled);
          },
        }),
      );
    });
  }

  /** The answer of an elicitation hook, if it gave one that can be used. */
  #action(hook: string, ending: Ending<unknown>): Record<string, unknown> | undefined {
    if ('threw' in ending) this.#ended(hook, ending, DECLINE);
    if (!('value' in ending)) return undefined;
    const { value } = ending;
    const action = isObject(value) ? value['action'] : undefined;
    if (isObject(value) && (action === 'accept' || action === 'decline' || action === 'cancel')) return value;
    this.#bad(hook, "give an object whose action is 'accept', 'decline' or 'cancel'", DECLINE);
    return undefined;
  }

  /** An answer that throws when it is looked at, as a getter may, is none. */
  #readable(hook: string, otherwise: Outcome): MonoTypeOperatorFunction<Outcome> {
    return catchError((reason: unknown) => {
      this.#terms.warn('hook-failed', `${hook}: its answer cannot be read: ${reasonText(reason)}`, reason);
      return of(otherwise);
    });
  }

  #ended(hook: string, ending: Ending<unknown>, outcome: Outcome): Outcome {
    if ('threw' in ending) this.#terms.warn('hook-failed', `${hook} threw: ${reasonText(ending.threw)}`, ending.threw);
    return outcome;
  }

  /** An answer as JSON has it; one JSON cannot have is of no use to the server. */
  #sayable(hook: string, result: Readonly<Record<string, unknown>>, otherwise: Outcome): Outcome {
    const copy = plainCopy(result);
    return isObject(copy) ? { result: copy } : this.#bad(hook, 'its answer cannot be written as JSON', otherwise);
  }

  #bad(hook: string, reason: string, outcome: Outcome): Outcome {
    this.#terms.warn('hook-failed', `${hook}: ${reason}`);
    return outcome;
  }
}
