export { encodeLine, encodeMessage } from './encode-line.js';
export { findResponseId } from './response-id.js';
export { DEFAULT_MAX_LINE_BYTES, splitLines } from './split-lines.js';
export type { SplitLinesOptions } from './split-lines.js';
export type { Line, OversizedLine } from './line-splitter.js';
export { join } from './join.js';
export { Pieces } from './pieces.js';
export { TailBytes } from './tail-bytes.js';
export { toInbound, tooLarge } from './to-inbound.js';
