/** How many timers hold this process open; one that rests does not. */
export const holdingTimers = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
