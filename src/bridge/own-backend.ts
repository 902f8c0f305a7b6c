import type { Backend } from './backend.js';
import type { ToolProvider } from './provider.js';

type Executing = Pick<ToolProvider, 'executeToolCalls'>;

interface Offer {
  readonly backend: (provider: ToolProvider) => Backend;
  readonly own: Executing;
}

const offers = new WeakMap<object, Offer>();

/**
 * Says by which backend a provider makes its calls, for a router above it: that need not have answers written for a model
 * which it then would have to read.
 * @param own has the method that does no more than that: a provider with another one has something else in mind
 */
export const offerBackend = (provider: ToolProvider, backend: Backend, own: Executing): void => {
  offers.set(provider, { backend: () => backend, own });
};

/**
 * {@link offerBackend} for all objects of a class at once, so that each is spared it.
 * @param backend gives that of one object, when it is first asked for
 */
export const offerBackends = <P extends ToolProvider>(prototype: P, backend: (provider: P) => Backend): void => {
  offers.set(prototype, { backend: backend as Offer['backend'], own: prototype });
};

const offerOf = (provider: object): Offer | undefined => {
  const prototype = Object.getPrototypeOf(provider) as object | null;
  return offers.get(provider) ?? (prototype === null ? undefined : offerOf(prototype));
};

/** The backend of a provider that has offered it, and makes its calls by it still. */
export const offeredBackend = (provider: ToolProvider): Backend | undefined => {
  const offer = offerOf(provider);
  return offer !== undefined && provider.executeToolCalls === offer.own.executeToolCalls
    ? offer.backend(provider)
    : undefined;
};
