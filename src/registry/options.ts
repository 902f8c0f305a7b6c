import { boolean, callback, type Check, checkOptions } from '../client/checks.js';
import { OptionError } from '../errors/index.js';
import { BRIDGE_CHECKS } from '../client/options.js';
import type { BridgeOptions } from '../client/index.js';
import { DECLARE_CHECKS, type DeclareOptions, type LlmFormat, type OnMissing } from '../bridge/index.js';

/** Options of a registry. An unknown one is an `OptionError` that names it. */
export interface RegistryOptions {
  /** What stands between a prefix and a name. Default `'_'`. */
  readonly separator?: string | undefined;
}

/** How a provider is added. An unknown option is an `OptionError` that names it. */
export interface AddOptions extends BridgeOptions {
  /** What the names of its tools begin with. No two providers have the same. */
  readonly prefix: string;
  /** True: `close()` of the registry closes it, too. Default false. */
  readonly owned?: boolean | undefined;
}

/** How the tools of a registry are declared. */
export interface RegistryDeclareOptions<F extends LlmFormat = LlmFormat> extends DeclareOptions<F> {
  /** True goes without the providers that cannot say what they have. Default: their error is raised. */
  readonly partial?: boolean | undefined;
  /** Called with those, if there are any, where `partial` is true. */
  readonly onMissing?: OnMissing | undefined;
}

const text: Check = (value, name) => {
  if (typeof value !== 'string' || value === '') refuseText(name);
};

const refuseText = (name: string): never => {
  throw new OptionError(name, 'give a string that is not empty');
};

const REGISTRY_CHECKS: Readonly<Record<keyof RegistryOptions, Check>> = { separator: text };
const ADD_CHECKS: Readonly<Record<keyof AddOptions, Check>> = { ...BRIDGE_CHECKS, prefix: text, owned: boolean };
const LIST_CHECKS = { ...DECLARE_CHECKS, partial: boolean, onMissing: callback };

/** Throws an `OptionError` for an option of a registry that cannot be used. */
export const checkRegistryOptions = (options: unknown): void => {
  checkOptions(options, REGISTRY_CHECKS, 'options');
};

/** Throws an `OptionError` for an option of an added provider that cannot be used. */
export const checkAddOptions = (options: unknown): void => {
  checkOptions(options, ADD_CHECKS, 'options');
};

/** Throws an `OptionError` for an option of declarations that cannot be used. */
export const checkRegistryDeclareOptions = (options: unknown): void => {
  checkOptions(options, LIST_CHECKS, 'options');
};
