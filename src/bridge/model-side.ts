import type { Observable } from 'rxjs';
import type { ReadOptions } from '../client/index.js';
import type { Tool } from '../protocol/schemas/index.js';
import { type Part, part } from '../rx/index.js';
import type { Backend } from './backend.js';
import type { ForModels } from './for-models.js';
import type { ToolSource } from './source.js';

/** All that is there for models alone: many clients are no model's, and half of a small program would be that. */
export const bridge: Part<typeof import('./for-models.js')> = /* @__PURE__ */ part(() => import('./for-models.js'));

/** The side of a client that faces models. It is loaded, and made, with the first use. */
export class ModelSide {
  readonly #source: ToolSource;
  readonly #list: (options: ReadOptions) => Observable<readonly Tool[]>;
  #made: ForModels | undefined;

  /** Makes calls for others, as the client itself does. */
  readonly backend: Backend = { prepare: (options) => this.use(({ backend }) => backend.prepare(options)) };

  /** @param list reads the tools, as the options of a list say */
  constructor(source: ToolSource, list: (options: ReadOptions) => Observable<readonly Tool[]>) {
    this.#source = source;
    this.#list = list;
  }

  /** What `work` makes with it. Cold. Errors with `TransportError` where it cannot be loaded. */
  use<T>(work: (made: ForModels) => Observable<T>): Observable<T> {
    return bridge.use(({ forModels }) => work((this.#made ??= forModels(this.#source, this.#list))));
  }
}
