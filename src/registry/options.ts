import {
  DECLARE_CHECKS,
  type DeclareOptions,
  type LlmFormat,
  type MountOptions,
  type OnMissing,
} from '../bridge/index.js';
import { requireText } from '../client/arguments.js';
import { boolean, callback, type Check, checkOptions } from '../jsonrpc/checks.js';

/** Options of a registry. An unknown one is an `OptionError` that names it. */
export interface RegistryOptions {
  /** What stands between a prefix and a name. Default `'_'`. */
  readonly separator?: string | undefined;
}

/** How a provider is added. An unknown option is an `OptionError` that names it. */
export interface AddOptions extends MountOptions {
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

const REGISTRY_CHECKS: Readonly<Record<keyof RegistryOptions, Check>> = { separator: requireText };

// Made when it is asked for: to a bundler, reading members as a module loads is an effect, which keeps the module.
const declareChecks = (): Readonly<Record<keyof RegistryDeclareOptions, Check>> => ({
  ...DECLARE_CHECKS,
  partial: boolean,
  onMissing: callback,
});

/** Throws an `OptionError` for an option of a registry that cannot be used. */
export const checkRegistryOptions = (options: unknown): void => {
  checkOptions(options, REGISTRY_CHECKS, 'options');
};

/** Throws an `OptionError` for an option of declarations that cannot be used. */
export const checkRegistryDeclareOptions = (options: unknown): void => {
  checkOptions(options, declareChecks(), 'options');
};
