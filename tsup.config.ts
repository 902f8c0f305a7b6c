import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    stdio: 'src/bridge/stdio.ts',
    config: 'src/config/index.ts',
    testing: 'src/testing/index.ts',
    auth: 'src/auth/index.ts',
    'auth-node': 'src/auth/node/index.ts',
    // What `#http-engine` stands for in Node, and elsewhere: see "imports" in package.json.
    'http-engine-node': 'src/transport/http/undici-engine.ts',
    'http-engine-fetch': 'src/transport/http/fetch-engine.ts',
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
  // A class that two entries export is one object, in both formats: `instanceof` holds across entries.
  splitting: true,
  sourcemap: true,
  clean: true,
  // The declaration step sets `baseUrl`, which TypeScript 6 deprecates.
  dts: {
    compilerOptions: { ignoreDeprecations: '6.0' },
    // `await using` needs a name that the libraries of many projects do not have.
    banner: '/// <reference lib="esnext.disposable" />',
  },
});
