import type { AnswererTerms, Answering } from '../protocol/index.js';
import { type Part, part } from '../rx/index.js';

/** What is needed once a server asks something: most never do. */
export const inputs: Part<typeof import('./inputs.js')> = /* @__PURE__ */ part(() => import('./inputs.js'));

/** Answers by the hooks, with what is loaded for the first question. Where it cannot be loaded, that is the error. */
export const answererOf = (terms: AnswererTerms): Answering => {
  let made: Answering | undefined;
  return {
    hooks: terms.hooks,
    answer: (method, params, server) =>
      inputs.use(({ Answerer }) => (made ??= new Answerer(terms)).answer(method, params, server)),
  };
};
