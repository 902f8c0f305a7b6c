/** Pieces, which have `length` bytes together, as one. */
export const join = (pieces: readonly Uint8Array[], length: number): Uint8Array => {
  const joined = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
};
