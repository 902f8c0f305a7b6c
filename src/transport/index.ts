export type { Connector, SendHints, Transport, WireForm } from './transport.js';
