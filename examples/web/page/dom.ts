type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const setAttribute = (element: Element, name: string, value: string | number | boolean | undefined): void => {
  if (value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : String(value));
};

/** Sets attributes; one that is `undefined` or false is taken away. */
export const attributes = (element: Element, values: Attributes): void => {
  for (const [name, value] of Object.entries(values)) setAttribute(element, name, value);
};

/** Makes an element. Text goes in as text: nothing that a server says is ever read as HTML. */
export const h = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  values: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag);
  attributes(element, values);
  element.append(...children);
  return element;
};

/** The element of the page with this id. */
export const byId = (id: string): HTMLElement => {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
};

let count = 0;

/** An id that no other element has. */
export const freshId = (): string => `id-${(count += 1)}`;
