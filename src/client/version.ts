/** The version of this package, as it introduces itself to servers. A spec keeps it equal to package.json's. */
export const VERSION = '0.1.0';
