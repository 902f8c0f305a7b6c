import type { Observable } from 'rxjs';
import { type MaybeRefOrGetter, type ShallowRef, shallowRef, toValue, watch } from 'vue';

/**
 * The latest value of an Observable, or of whichever one a ref holds. Another one takes its place; it ends with the
 * component or scope. An error goes to the error handlers of the component.
 */
export const useObservable = <T>(source: MaybeRefOrGetter<Observable<T>>, initial: T): Readonly<ShallowRef<T>> => {
  const value = shallowRef(initial);
  const failure = shallowRef<{ readonly reason: unknown }>();
  watch(failure, (failed) => {
    throw failed?.reason;
  });
  watch(
    () => toValue(source),
    (source$, _before, onCleanup) => {
      const subscription = source$.subscribe({
        next: (next) => (value.value = next),
        error: (reason: unknown) => (failure.value = { reason }),
      });
      onCleanup(() => subscription.unsubscribe());
    },
    { immediate: true },
  );
  return value;
};
