export { abortWith } from './abort-with.js';
export { type Answer, answerOf } from './answer-of.js';
export { type Deadline, Deadlines } from './deadlines.js';
export { guarded } from './guarded.js';
