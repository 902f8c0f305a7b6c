/**
 * Puts these items, which are all that the list has besides new ones, into this order. What stands right already is not
 * moved, and whoever is in one that is moved stays there: to be moved costs an element its focus.
 */
export const arrange = (list: HTMLElement, items: readonly HTMLElement[]): void => {
  const inFocus = document.activeElement;
  let next = list.firstElementChild;
  for (const item of items) {
    if (item === next) next = next.nextElementSibling;
    // One that is only in the way is moved behind, rather than all that follow it before it.
    else if (next !== null && item === next.nextElementSibling && !next.contains(inFocus)) {
      const [late, after] = [next, item.nextElementSibling];
      list.append(late);
      next = after === null ? late : after;
    } else list.insertBefore(item, next);
  }
  if (inFocus instanceof HTMLElement && inFocus !== document.activeElement && list.contains(inFocus)) {
    inFocus.focus({ preventScroll: true });
  }
};

/** Puts a newer item in the place of one: as open as that was, and with the focus where it had it. */
export const replace = (before: HTMLElement, after: HTMLElement): void => {
  const hadFocus = before.contains(document.activeElement);
  const isOpen = before.querySelector('details')?.open === true;
  before.replaceWith(after);
  const details = after.querySelector('details');
  if (details !== null) details.open = isOpen;
  if (hadFocus) after.querySelector('summary')?.focus({ preventScroll: true });
};
