export { isFieldName } from './field-name.js';
export type { Connector, RetryTerms, SendHints, Transport, WireForm } from './transport.js';
