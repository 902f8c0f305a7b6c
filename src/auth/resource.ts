/** A URL up to its query. */
const bare = (url: URL): string => url.origin + url.pathname;

/**
 * Whether a resource identifier stands for a server: it is the server's URL, or one that contains it (its origin, or a path
 * above its own). It is compared as it stands; only what no two servers differ in, the case of scheme and host and the port
 * that goes without saying, is evened out. RFC 9728, section 3.3; RFC 8707, section 2.
 */
export const standsFor = (resource: string, server: URL): boolean => {
  if (!URL.canParse(resource) || resource.includes('#')) return false;
  const parsed = new URL(resource);
  if (parsed.origin === 'null' || parsed.username !== '' || parsed.password !== '') return false;
  if (parsed.search !== '') return parsed.href === server.href;
  const own = bare(server);
  const given = bare(parsed);
  return own === given || own.startsWith(given.endsWith('/') ? given : `${given}/`);
};
