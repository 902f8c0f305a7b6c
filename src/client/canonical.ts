/** A piece of the text, or something that is yet to be written. */
type Part = string | { readonly value: unknown };

const partsOf = (value: object): Part[] => {
  if (Array.isArray(value)) {
    return ['[', ...value.flatMap((item: unknown, index): Part[] => [index === 0 ? '' : ',', { value: item }]), ']'];
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, member], index): Part[] => [
      `${index === 0 ? '' : ','}${JSON.stringify(key)}:`,
      { value: member as unknown },
    ]);
  return ['{', ...members, '}'];
};

/** JSON with the keys of every object in one order, so that equal values have equal texts. */
export const canonical = (root: unknown): string => {
  let text = '';
  // A stack of its own: how deep a schema is nested is the server's to say, and recursion would end at some depth.
  const left: Part[] = [{ value: root }];
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    if (typeof part === 'string') text += part;
    else if (typeof part.value === 'object' && part.value !== null) {
      for (const inner of partsOf(part.value).reverse()) left.push(inner);
    } else text += JSON.stringify(part.value) ?? 'null';
  }
  return text;
};
