/**
 * @param folder what was built
 * @param entries the names of all its entries
 * @param clients those that make a client: what all of them load is joined
 * @param also those whose files are joined with it as well
 */
export const oneCore: (
  folder: string,
  entries: readonly string[],
  clients: readonly string[],
  also: readonly string[],
) => Promise<void>;
