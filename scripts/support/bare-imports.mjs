/**
 * A plugin for tsup: takes out the imports that name nothing. esbuild writes one into an entry for each chunk that the
 * entry reaches, for the sake of effects; modules of this package have none, as package.json says, and to a bundler
 * that believes it such an import is a mistake to warn about. Every line stays where it is, so that source maps hold.
 */
export const withoutBareImports = () => ({
  name: 'without-bare-imports',
  renderChunk: (code, { path }) =>
    /\.c?js$/.test(path) ? { code: code.replace(/^import "[^"]+";$/gm, '') } : undefined,
});
