/** A URL as it may be told: its query may carry a secret. */
export const withoutQuery = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
};
