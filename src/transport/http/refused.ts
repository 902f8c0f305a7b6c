import { defer, finalize, type Observable } from 'rxjs';
import { type Part, part } from '../../rx/index.js';
import type { HttpResponse } from './engine.js';

/** What is made of answers that are refusals, redirects, or nothing that can be read. */
export const refusals: Part<typeof import('./refusals.js')> = /* @__PURE__ */ part(() => import('./refusals.js'));

/** What `work` makes of such an answer. Who leaves while the part for it is loaded lets go of the answer, as does its failure. */
export const overRefusals = <T>(
  response: HttpResponse,
  work: (module: typeof import('./refusals.js')) => Observable<T>,
): Observable<T> =>
  defer(() => {
    let isTaken = false;
    return refusals
      .use((module) => {
        isTaken = true;
        return work(module);
      })
      .pipe(
        finalize(() => {
          if (!isTaken) response.discard();
        }),
      );
  });
