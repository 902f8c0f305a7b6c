import type { Backend } from './backend.js';
import type { ToolProvider } from './provider.js';

type Executing = Pick<ToolProvider, 'executeToolCalls'>;

const offers = new WeakMap<ToolProvider, { readonly backend: () => Backend; readonly own: Executing }>();

/**
 * Says by which backend a provider makes its calls, for a router above it: that need not have answers written for a model
 * which it then would have to read.
 * @param backend the backend, or what makes it when it is first asked for
 * @param own has the method that does no more than that: a provider with another one has something else in mind
 */
export const offerBackend = (provider: ToolProvider, backend: Backend | (() => Backend), own: Executing): void => {
  offers.set(provider, { backend: typeof backend === 'function' ? backend : () => backend, own });
};

/** The backend of a provider that has offered it, and makes its calls by it still. */
export const offeredBackend = (provider: ToolProvider): Backend | undefined => {
  const offer = offers.get(provider);
  return offer !== undefined && provider.executeToolCalls === offer.own.executeToolCalls ? offer.backend() : undefined;
};
