import { type Part, part } from '../rx/index.js';

/** What keeps results: many servers permit it for none, and many applications ask for each once. */
export const keeping: Part<typeof import('./keeping.js')> = /* @__PURE__ */ part(() => import('./keeping.js'));
