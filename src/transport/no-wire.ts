const has = (value: unknown, member: string): boolean =>
  typeof (value as Readonly<Record<string, unknown>> | null | undefined)?.[member] === 'function';

/**
 * Why a value is no wire, and what to give.
 * @param hasOther whether `connectInMemory` would do as well
 */
export const noWire = (value: unknown, hasOther = false): string => {
  const wanted = 'give a Transport or a Connector';
  if (has(value, 'connector')) return `${wanted}: of this server its .connector`;
  if (hasOther && has(value, 'connect')) return `${wanted}; to a server in this process leads connectInMemory`;
  return wanted;
};
