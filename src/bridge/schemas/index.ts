export { type InputSchema, normalise } from './normalise.js';
export { wellFormed } from './plain.js';
export { type DeclarationChange, Report } from './report.js';
export type { SchemaRules } from './rules.js';
