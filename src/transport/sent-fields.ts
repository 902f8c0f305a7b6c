/**
 * By what a connector or a transport lets somebody hear which header fields it sends, and where to: who writes down what is said has to
 * keep them out. One symbol for all copies of this library.
 */
export const SENT_FIELDS: unique symbol = Symbol.for('rx-mcp.sent-fields');

/** Told before each request. */
export type HearFields = (fields: Readonly<Record<string, string>>, url: string) => void;

/** What says what it sends. There may be several who hear it, and none stops. */
export interface TellsFields {
  readonly [SENT_FIELDS]?: ((hear: HearFields) => void) | undefined;
}
