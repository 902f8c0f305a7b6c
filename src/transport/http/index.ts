export { httpConnector } from './connector.js';
export type { FetchLike } from './fetch-like.js';
export { ModernHttpTransport } from './modern-transport.js';
export type {
  AuthAnswer,
  AuthChallenge,
  AuthContext,
  AuthProvider,
  HeadersOption,
  HttpParameters,
  RetryOptions,
} from './options.js';
