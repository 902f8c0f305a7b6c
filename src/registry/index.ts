export type { AddOptions, RegistryDeclareOptions, RegistryOptions } from './options.js';
export { Registry } from './registry.js';
