import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * How the page is built and served. `rx-mcp` is the package itself, as anybody's bundler finds it.
 * @param servers URLs of servers to offer on the page, by the era of each; the first is connected to
 */
export const webConfig = (servers: Readonly<Record<string, string>> = {}): InlineConfig => ({
  root: here,
  configFile: false,
  base: './',
  cacheDir: `${here}/dist/.vite`,
  build: { outDir: `${here}/dist/page`, emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false } },
  server: { host: '127.0.0.1' },
  plugins: [
    {
      name: 'demo-servers',
      transformIndexHtml: () =>
        Object.keys(servers).length === 0
          ? []
          : [{ tag: 'meta', attrs: { name: 'demo-servers', content: JSON.stringify(servers) }, injectTo: 'head' }],
    },
  ],
});
