/** The items in the order of one round: each round begins one further on, so that none is always first. */
export const rotated = (items, round) => {
  if (items.length === 0) return [];
  const start = round % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
};
