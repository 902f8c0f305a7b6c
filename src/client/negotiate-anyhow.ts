import type { Negotiate, Negotiation } from '../protocol/index.js';
import { type Part, part } from '../rx/index.js';

/** How a life is opened over any wire. What makes clients for one kind of wire names what it needs, and needs no loading. */
export const negotiation: Part<typeof import('../protocol/negotiate.js')> = /* @__PURE__ */ part(
  () => import('../protocol/negotiate.js'),
);

/** Negotiates over any wire, by what is loaded with the first opening. */
export const negotiateAnyhow: Negotiate = (open, terms) => {
  let begun: Negotiation | undefined;
  return {
    get own() {
      return begun?.own;
    },
    open: () => negotiation.use(({ negotiate }) => (begun ??= negotiate(open, terms)).open()),
  };
};
