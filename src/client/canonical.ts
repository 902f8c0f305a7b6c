/** So many pieces of a text are joined to one: a text that grew piece by piece would take several times its length. */
const PIECES = 4_096;

/** A text that is written piece by piece. */
class Text {
  readonly #written: string[] = [];
  #pieces: string[] = [];

  add(piece: string): void {
    if (this.#pieces.push(piece) < PIECES) return;
    this.#written.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  toString(): string {
    return this.#written.join('') + this.#pieces.join('');
  }
}

type Members = Readonly<Record<string, unknown>>;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Its keys in their order; of a list there are none. */
const keysOf = (value: object): readonly string[] | undefined => {
  if (Array.isArray(value)) return undefined;
  const keys = Object.keys(value).filter((key) => (value as Members)[key] !== undefined);
  return keys.length < 2 ? keys : keys.sort();
};

/** JSON with the keys of every object in one order, so that equal values have equal texts. To compare, see `sameJson`. */
export const canonical = (root: unknown): string => {
  const text = new Text();
  // Stacks of its own: how deep a schema is nested is the server's to say, and recursion would end at some depth.
  const around: object[] = [];
  const keysAround: (readonly string[] | undefined)[] = [];
  const placesAround: number[] = [];
  const begin = (value: unknown): void => {
    if (!isContainer(value)) {
      text.add(typeof value === 'number' && Number.isFinite(value) ? String(value) : (JSON.stringify(value) ?? 'null'));
      return;
    }
    const keys = keysOf(value);
    text.add(keys === undefined ? '[' : '{');
    around.push(value);
    keysAround.push(keys);
    placesAround.push(0);
  };
  begin(root);
  while (around.length > 0) {
    const level = around.length - 1;
    const container = around[level] as object;
    const keys = keysAround[level];
    const place = placesAround[level] ?? 0;
    placesAround[level] = place + 1;
    if (place === (keys ?? (container as readonly unknown[])).length) {
      text.add(keys === undefined ? ']' : '}');
      around.pop();
      keysAround.pop();
      placesAround.pop();
      continue;
    }
    if (place > 0) text.add(',');
    const key = keys?.[place];
    if (key !== undefined) text.add(`${JSON.stringify(key)}:`);
    begin(key === undefined ? (container as readonly unknown[])[place] : (container as Members)[key]);
  }
  return text.toString();
};
