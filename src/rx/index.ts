export { abortWith } from './abort-with.js';
export { type Answer, answerOf } from './answer-of.js';
export { Backoff, type BackoffTerms } from './backoff.js';
export { coalesceMap } from './coalesce-map.js';
export { type Deadline, Deadlines } from './deadlines.js';
export { detour } from './detour.js';
export { guarded } from './guarded.js';
export { handOver } from './hand-over.js';
export { walk } from './walk.js';
