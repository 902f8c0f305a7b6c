import { rmSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { licences } from './scripts/support/licences.mjs';
import { withoutBareImports } from './scripts/support/bare-imports.mjs';
import { withoutPlaces } from './scripts/support/map-places.mjs';
import { together } from './scripts/support/together.mjs';

// Once, and not by each of the two builds, which would take away what the other has written.
rmSync('dist', { recursive: true, force: true });

/**
 * Nor these, which are small files of their own by that: who takes an error class, or what reads messages, has nothing else, whatever
 * its bundler can leave out of a large file.
 */
const APART = { errors: 'src/errors/index.ts', messages: 'src/jsonrpc/index.ts' };

const library: Options = {
  entry: {
    index: 'src/index.ts',
    stdio: 'src/bridge/stdio.ts',
    config: 'src/config/index.ts',
    testing: 'src/testing/index.ts',
    'testing-node': 'src/testing/node/index.ts',
    auth: 'src/auth/index.ts',
    'auth-node': 'src/auth/node/index.ts',
    // What `#http-engine` stands for in Node, and elsewhere: see "imports" in package.json.
    'http-engine-node': 'src/transport/http/undici-engine.ts',
    'http-engine-fetch': 'src/transport/http/fetch-engine.ts',
    // Nobody imports these. They have `index` be nothing but names from other files: a bundler counts a file as needed
    // at once, and all that it imports, as soon as anything in it is.
    'connect-http': 'src/bridge/connect/http.ts',
    registry: 'src/registry/index.ts',
    fingerprint: 'src/client/fingerprint.ts',
    'memory-cache': 'src/client/cache.ts',
    ...APART,
  },
  external: ['#http-engine'],
  // Without the path that leads to the source of the engine: in the package it is found by package.json.
  tsconfig: 'tsconfig.build.json',
  format: ['esm', 'cjs'],
  target: 'es2022',
  // The root must load in a browser; the entries for Node name their built-in modules themselves, with the `node:` prefix.
  platform: 'neutral',
  removeNodeProtocol: false,
  skipNodeModulesBundle: true,
  // What is used of it is a fiftieth; as a package all of it is loaded, which takes more time than everything here.
  noExternal: ['zod'],
  esbuildPlugins: [
    licences('dist/LICENSES.txt', 'This library'),
    together(['src/bridge/connect/http.ts', 'src/client/cache.ts'], Object.values(APART)),
  ],
  // A class that two entries export is one object, in both formats: `instanceof` holds across entries.
  splitting: true,
  sourcemap: true,
  plugins: [withoutBareImports()],
  onSuccess: () => withoutPlaces('dist'),
  // The declaration step sets `baseUrl`, which TypeScript 6 deprecates.
  dts: {
    compilerOptions: { ignoreDeprecations: '6.0' },
    // `await using` needs a name that the libraries of many projects do not have.
    banner: '/// <reference lib="esnext.disposable" />',
  },
};

/** The command, with the packages that it alone needs in it, so that they are no dependencies of the library. */
const command: Options = {
  entry: { cli: 'src/cli/main.ts' },
  external: ['#http-engine'],
  noExternal: ['commander', 'cli-progress'],
  tsconfig: 'tsconfig.build.json',
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  // Each of its commands is loaded when it is run.
  splitting: true,
  // Nobody looks into it with a debugger.
  sourcemap: false,
  dts: false,
  // What is bundled is CommonJS in part, and asks for modules of Node.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  },
  esbuildOptions: (options) => {
    options.chunkNames = 'cli/[name]-[hash]';
  },
  esbuildPlugins: [licences('dist/cli/LICENSES.txt', 'The command rx-mcp')],
};

export default defineConfig([library, command]);
