/** The OAuth library. */
export type Library = typeof import('oauth4webapi');

/** The OAuth library, loaded on first use. */
export const library = async (): Promise<Library> => import('oauth4webapi');

/** Which URLs may be asked is decided before the library hears of them: it would forbid http on loopback. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- so marked that it stands out
export const anyScheme = (oauth: Library): Record<symbol, true> => ({ [oauth.allowInsecureRequests]: true });
