import { AuthorizationError } from '../auth/authorization-error.js';
import { hasAuthorization } from '../config/managed/http-extras.js';
import type { ServerConfig } from '../config/server-config.js';
import { tellingLine } from '../config/telling-line.js';
import {
  HttpError,
  InvalidMessageError,
  messageOf,
  NetworkError,
  refusalOf,
  ServerGoneError,
  SpawnFailedError,
  TimeoutError,
  UnauthorizedError,
  UnsupportedVersionError,
} from '../errors/index.js';

/** What is known of a failure beside the error. */
export interface Circumstances {
  readonly server: ServerConfig;
  /** The last lines that the server wrote to stderr. */
  readonly stderrTail: readonly string[];
  /** The beginning of something on the server's stdout that is no message, if there was something. */
  readonly junk?: string | undefined;
  /** What is typed to log in to the server, where that may be of use. */
  readonly login?: string | undefined;
}

/** What is wrong, and what to do about it. */
export interface Diagnosis {
  readonly problem: string;
  readonly remedy?: string | undefined;
}

/** The programs that start most servers, by what brings them. */
const BROUGHT_BY: Readonly<Record<string, string>> = {
  npx: 'Node.js brings it: https://nodejs.org',
  node: 'it is Node.js: https://nodejs.org',
  uvx: 'uv brings it: https://docs.astral.sh/uv',
  uv: 'see https://docs.astral.sh/uv',
  docker: 'see https://docs.docker.com/get-docker',
  bunx: 'Bun brings it: https://bun.sh',
  bun: 'see https://bun.sh',
  deno: 'see https://deno.com',
  python: 'on many systems it is called python3',
};

/** The codes of an error and of all that caused it. */
const codesOf = (error: unknown, depth = 0): readonly string[] => {
  if (typeof error !== 'object' || error === null || depth > 8) return [];
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  const inner: readonly unknown[] = Array.isArray(errors) ? errors : [];
  return [...(typeof code === 'string' ? [code] : []), ...[cause, ...inner].flatMap((one) => codesOf(one, depth + 1))];
};

const NETWORK: readonly (readonly [codes: RegExp, remedy: string])[] = [
  [/^ECONNREFUSED$/, 'nothing listens there: start the server, or check host and port'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'there is no such host: check its name, and the connection to the internet'],
  [
    /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT\w*))$/,
    'its certificate is not trusted here: name the authority that signed it in the variable NODE_EXTRA_CA_CERTS',
  ],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired: whoever runs the server must renew it'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its certificate is for another host: check the host of the URL'],
  [/^(?:ERR_SSL_\w+|EPROTO)$/, 'TLS failed: if the server has none, its URL begins with http://'],
  [
    /^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/,
    'the host does not answer: check its name, and the firewall',
  ],
  [/^(?:ECONNRESET|UND_ERR_SOCKET)$/, 'the connection was cut: if the server speaks TLS, its URL begins with https://'],
];

const STATUSES: Readonly<Record<number, string>> = {
  401: 'it needs authorization: give the header Authorization, in headers or with --header',
  403: 'it knows who asks, and refuses: check the credentials and what they allow',
  404: 'there is no server at this path: check the URL, which often ends with /mcp or /sse',
  405: 'this path takes no such requests: check the URL, which often ends with /mcp or /sse',
  407: 'a proxy on the way wants credentials: check HTTPS_PROXY',
  429: 'it is too busy: try again later',
};

const ofStatus = (status: number): string | undefined =>
  STATUSES[status] ??
  (status >= 500
    ? 'the server, or what stands before it, failed: look at its log'
    : 'is this an MCP server? Check the URL');

const seconds = (ms: number): string => `${ms / 1_000} s`;

const ofTimeout = (waitedMs: number, { server, junk, stderrTail }: Circumstances): Diagnosis => {
  if (server.transport !== 'stdio') {
    return {
      problem: `it did not answer within ${seconds(waitedMs)}`,
      remedy: 'check the URL; if the server is only slow, give more time with --timeout',
    };
  }
  if (junk !== undefined) {
    return {
      problem: `it runs, but what it writes to stdout is no MCP message, such as ${JSON.stringify(junk)}`,
      remedy: 'is it an MCP server over stdio? It may need another argument, or be one over HTTP',
    };
  }
  return {
    problem: `it runs, but answered nothing within ${seconds(waitedMs)}${told(stderrTail)}`,
    remedy: 'is it an MCP server over stdio? If it is only slow, as on a first start, give more time with --timeout',
  };
};

const TAIL = 5;

/** The last lines, and before them the one that says most of why a server ended, where it is not among them. */
const toldLines = (lines: readonly string[]): readonly string[] => {
  const last = lines.slice(-TAIL);
  const telling = tellingLine(lines);
  return telling === '' || last.some((line) => line.trim() === telling) ? last : [telling, '…', ...last];
};

const told = (lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `; on stderr:\n${toldLines(lines)
        .map((line) => `  ${line}`)
        .join('\n')}`;

const ofEnd = ({ exitCode, signal, stderrTail: tail }: ServerGoneError): Diagnosis => {
  // Of this life alone: the probe may have ended one before it.
  const stderrTail = tail.split('\n').filter((line) => line.trim() !== '');
  const how =
    signal !== null
      ? `was ended by ${signal}`
      : exitCode === null
        ? 'closed its output'
        : `exited with code ${exitCode}`;
  return {
    problem: `it ${how}${stderrTail.length === 0 ? ', and wrote nothing to stderr' : told(stderrTail)}`,
    remedy:
      stderrTail.length === 0
        ? 'run its command by hand, and see what it says'
        : 'what it wrote says why; if not, run its command by hand',
  };
};

const BY_HEADER = 'give the header Authorization, in headers or with --header';

/** All that is wrong with a server that nobody has logged in to. */
export const NEEDS_AUTHORIZATION = 'needs authorization';

/** What a server wants that named no way to an authorization: perhaps a key. */
const ofRefusal = (error: UnauthorizedError, { server, login }: Circumstances): Diagnosis => {
  if (server.transport !== 'stdio' && hasAuthorization(server)) {
    return {
      problem: 'it refuses the Authorization that it is given',
      remedy: 'check that header: it may have expired',
    };
  }
  if (login === undefined) return { problem: messageOf(error), remedy: STATUSES[401] };
  const saysHow = /resource_metadata/i.test(error.challenge ?? '');
  return { problem: NEEDS_AUTHORIZATION, remedy: saysHow ? login : `${login}; if it takes a key: ${BY_HEADER}` };
};

const ofAuthorization = (error: AuthorizationError, { login }: Circumstances): Diagnosis => {
  const remedies: Partial<Record<AuthorizationError['problem'], string | undefined>> = {
    denied: login,
    cancelled: login,
    client: `write the id of a client that is registered there into its entry, as oauth.clientId; if it takes a key: ${BY_HEADER}`,
    discovery: `if it takes a key: ${BY_HEADER}`,
  };
  return { problem: `needs authorization, and could not get it: ${messageOf(error)}`, remedy: remedies[error.problem] };
};

/** An authorization that could not be had, however deep it is. */
const authorizationError = (error: unknown, depth = 0): AuthorizationError | undefined => {
  if (error instanceof AuthorizationError) return error;
  return error instanceof Error && depth < 8 ? authorizationError(error.cause, depth + 1) : undefined;
};

/** Whether a failure is one for want of an authorization. */
export const wantsLogin = (error: unknown): boolean =>
  error instanceof UnauthorizedError || authorizationError(error) !== undefined;

/**
 * What is wrong where a server could not be used, and what to do, in words for a person. Pure; the words of the server
 * in it are as they came.
 * @param waitedMs how long was waited, where that is all that is wrong
 */
export const diagnose = (error: unknown, around: Circumstances, waitedMs?: number): Diagnosis => {
  if (waitedMs !== undefined) return ofTimeout(waitedMs, around);
  if (error instanceof TimeoutError) return ofTimeout(error.timeoutMs, around);
  if (error instanceof SpawnFailedError) {
    // The error says what to do by itself.
    const program = error.command.split(/[/\\]/).pop() ?? '';
    const problem = messageOf(error).replace(/^the server /, '');
    const missing = problem.includes('no such program') && Object.hasOwn(BROUGHT_BY, program);
    return { problem, remedy: missing ? BROUGHT_BY[program] : undefined };
  }
  if (error instanceof ServerGoneError) return ofEnd(error);
  if (error instanceof UnauthorizedError) return ofRefusal(error, around);
  const unauthorized = authorizationError(error);
  if (unauthorized !== undefined) return ofAuthorization(unauthorized, around);
  if (codesOf(error).includes('EADDRINUSE')) {
    return { problem: messageOf(error), remedy: 'the port of the redirect (oauth.callbackPort) is in use: free it' };
  }
  const refusal = refusalOf(error);
  if (refusal instanceof HttpError) return { problem: messageOf(error), remedy: ofStatus(refusal.status) };
  if (error instanceof NetworkError) {
    const codes = codesOf(error);
    const known = NETWORK.find(([pattern]) => codes.some((code) => pattern.test(code)));
    return { problem: messageOf(error), remedy: known?.[1] };
  }
  if (error instanceof UnsupportedVersionError) {
    return { problem: messageOf(error), remedy: 'update the server, or rx-mcp' };
  }
  if (error instanceof InvalidMessageError) {
    return { problem: messageOf(error), remedy: 'this is a fault of the server: tell whoever made it' };
  }
  return { problem: messageOf(error) };
};
