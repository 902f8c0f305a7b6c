/** The next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Resolves as soon as a condition holds of which nothing tells; looked at in each turn. */
export const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await nextTurn();
};
