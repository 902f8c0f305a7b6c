import type { Observable } from 'rxjs';
import type { Answer } from '../rx/index.js';
import type { ServerDescription } from './agreement.js';
import type {
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  ListRootsResult,
  Root,
} from './schemas/index.js';

/** A server's question, as a hook gets it. */
export interface Question<P> {
  /** The protocol's name of the question. */
  readonly method: string;
  /** The question itself, verbatim: the words of a server are untrusted. */
  readonly params: P;
  /** Which server asks. A person must be able to see it: its `info` is only what it calls itself. */
  readonly server: ServerDescription;
}

/** A question that sends a person to a page. `params.url` is the full URL, which they must see before they agree. */
export interface UrlQuestion extends Question<ElicitUrlParams> {
  /** The URL's host, to be shown with emphasis. */
  readonly host: string;
  /** What is suspicious about the URL, to be shown with it. */
  readonly warning?: string | undefined;
}

/** A question in URL mode: `elicitationId` is sent by 2025-11-25 servers only. */
export interface ElicitUrlParams extends Omit<ElicitRequestURLParams, 'elicitationId'> {
  elicitationId?: string | undefined;
}

/** The answer to a question in URL mode: `accept` is consent, not completion, and carries no content. */
export interface UrlAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  /**
   * The user's own word that the matter at the URL is done. Only a 2025-11-25 server that refused a call with
   * `-32042` needs it: the call is repeated at once, and not only when the server reports completion.
   */
  readonly completed?: boolean | undefined;
}

/** The roots, as a list or as the protocol's result. */
export type Roots = readonly Root[] | ListRootsResult;

/**
 * How an application answers its servers' questions. Which hooks are set is what is declared to servers. Each may
 * answer with a value, a Promise, or an Observable whose last value is the answer. One that throws declines, one that
 * completes empty, or runs out of `inputTimeoutMs`, cancels. An Observable is unsubscribed when nobody wants its answer
 * any longer: the server withdrew the question, the calls it may be for were given up, or the client was closed. The
 * same hooks serve both eras.
 */
export interface Hooks {
  /**
   * Fills in a form. Let a person review, change, decline and cancel. A field that `content` does not name gets its default;
   * one that it names as `undefined` is left out, so that a person can clear what was filled in. MCP 2026-07-28
   * client/elicitation.
   */
  readonly onElicit?:
    | ((question: Question<ElicitRequestFormParams>) => Answer<
        | ElicitResult
        | {
            readonly action: 'accept';
            readonly content: Readonly<Record<string, string | number | boolean | string[] | undefined>>;
          }
      >)
    | undefined;
  /**
   * Asks a person for consent to open a URL, and opens it: without a shell, and where neither client nor model
   * can look in. Never called for a URL that is neither https nor http on loopback. MCP 2026-07-28 client/elicitation.
   */
  readonly onElicitUrl?: ((question: UrlQuestion) => Answer<UrlAnswer>) | undefined;
  /** Lets a model write a message, of at most `params.maxTokens`. MCP 2026-07-28 client/sampling; deprecated there, and supported. */
  readonly onSample?:
    | ((question: Question<CreateMessageRequestParams>) => Answer<CreateMessageResult | CreateMessageResultWithTools>)
    | undefined;
  /**
   * The directories a server may look at, as `file://` URIs. An Observable is a live list, subscribed to once for each
   * connection: its latest value is the answer, and each later one is told to a legacy server. MCP 2026-07-28 client/roots; deprecated there, and supported.
   */
  readonly onListRoots?: ((question: Question<undefined>) => Answer<Roots>) | Observable<Roots> | undefined;
}

/** What a client with these hooks declares. `overrides` replace whole capabilities. */
export const capabilitiesOf = (hooks: Hooks, overrides: ClientCapabilities = {}): ClientCapabilities => {
  const { onElicit, onElicitUrl, onSample, onListRoots } = hooks;
  return {
    ...(onElicit === undefined && onElicitUrl === undefined
      ? undefined
      : { elicitation: { ...(onElicit && { form: {} }), ...(onElicitUrl && { url: {} }) } }),
    ...(onSample && { sampling: {} }),
    ...(onListRoots && { roots: {} }),
    ...overrides,
  };
};

/** The same for `initialize`: a legacy server is told of changes of a live list of roots. */
export const legacyCapabilitiesOf = (hooks: Hooks, declared: ClientCapabilities): ClientCapabilities =>
  declared.roots !== undefined && hooks.onListRoots !== undefined && typeof hooks.onListRoots !== 'function'
    ? { ...declared, roots: { ...declared.roots, listChanged: true } }
    : declared;
