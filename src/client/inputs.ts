// What is needed once a server asks something, or a call is suspended, in one file to be loaded then.
export { Answerer } from '../protocol/answerer.js';
export { answersTo, readSuspended } from '../protocol/suspended.js';
export { later, onceDone } from './later.js';
export { suspendable } from './resume.js';
