import { defer, from, type Observable } from 'rxjs';
import { TransportError } from '../errors/index.js';
import { turned } from './turned.js';

/** A part of this library that is loaded when it is first needed. */
export interface Part<M> {
  /**
   * What `work` makes with the part: at once where it was loaded before, else as soon as it is; those who come meanwhile wait
   * for the same loading. Cold. Errors with `TransportError` where it cannot be loaded, and whoever comes next tries again;
   * else as what `work` made does. Unsubscribing while it is loaded has `work` never called.
   */
  use<T>(work: (module: M) => Observable<T>): Observable<T>;
  /** The part, where it is loaded. */
  readonly loaded: M | undefined;
  /** Loads it, for those who know that they will need it. Rejects with what kept it from being loaded. */
  load(): Promise<M>;
  /** Hands it over, by who has loaded it otherwise. */
  give(module: M): void;
}

/**
 * A part that `load` loads by `import()`. A call of this at the top level of a module is marked as pure: a bundle whose
 * programs never use the part has nothing of it.
 */
export const part = <M>(load: () => Promise<M>): Part<M> => {
  let loaded: M | undefined;
  let loading: Promise<M> | undefined;
  const begin = (): Promise<M> =>
    (loading ??= load().then(
      (module) => (loaded = module),
      (reason: unknown) => {
        loading = undefined;
        throw new TransportError(reason, 'loading a part of rx-mcp');
      },
    ));
  return {
    use: (work) =>
      defer(() => (loaded === undefined ? from(begin()).pipe(turned((module) => work(module))) : work(loaded))),
    get loaded() {
      return loaded;
    },
    load: begin,
    give: (module) => {
      loaded = module;
      loading = Promise.resolve(module);
    },
  };
};
