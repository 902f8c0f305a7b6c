type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Variables laid over others: one of the same name is replaced, `undefined` removes it. Where `ignoreCase` is true, as
 * on Windows, `Path` and `PATH` are one variable, and only the one laid on top is left.
 */
export const layEnvironment = (under: Variables, over: Variables, ignoreCase: boolean): Record<string, string> => {
  const key = (name: string): string => (ignoreCase ? name.toUpperCase() : name);
  const laid = new Map<string, readonly [name: string, value: string]>();
  for (const [name, value] of [...Object.entries(under), ...Object.entries(over)]) {
    laid.delete(key(name));
    if (value !== undefined) laid.set(key(name), [name, value]);
  }
  return Object.fromEntries(laid.values());
};
