export type { Connector, RetryTerms, SendHints, Transport, WireForm } from './transport.js';
