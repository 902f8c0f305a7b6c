import { ProtocolError } from '../errors/index.js';

/** 2025-11-25 only: the call needs a matter at a URL to be done first. */
const URL_ELICITATION_REQUIRED = -32042;

/** Whether a refusal is a question: the call is to be made again once a person was at a URL. */
export const isUrlRequired = (reason: unknown): reason is ProtocolError =>
  reason instanceof ProtocolError && reason.code === URL_ELICITATION_REQUIRED;
