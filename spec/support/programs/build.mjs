// Jest's `globalSetup`: builds the programs that specs run as processes of their own, once for all of a run. One that is a
// few files starts in half the time of one that is read from a hundred, or has its TypeScript translated first.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { FOLDER } from './folder.mjs';

const ROOT = join(import.meta.dirname, '../../..');

/** The files of a folder that end so, by their names. */
const filesOf = (folder, end) =>
  Object.fromEntries(
    readdirSync(join(ROOT, folder))
      .filter((file) => file.endsWith(end))
      .map((file) => [basename(file, extname(file)), `${folder}/${file}`]),
  );

/** What may share files with each other. */
const GROUPS = {
  cli: { main: 'src/cli/main.ts' },
  examples: {
    'demo/main': 'examples/demo/main.ts',
    'demo/server': 'examples/demo/server.ts',
    'live-list': 'examples/live-list.ts',
    'live-list-server': 'examples/live-list-server.ts',
  },
  parents: filesOf('spec/support/parents', '.ts'),
  servers: filesOf('spec/support/servers', '-stdio.mjs'),
};

const settings = {
  absWorkingDir: ROOT,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'silent',
  // What of RxJS is used, in place of the whole of it, which is what Node would load.
  alias: {
    rxjs: join(ROOT, 'node_modules/rxjs/dist/esm/index.js'),
    'rxjs/testing': join(ROOT, 'node_modules/rxjs/dist/esm/testing/index.js'),
  },
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
};

/** Examples that start the server beside them: as source by tsx, and built as what is built. */
const WITH_SERVER = ['demo/main', 'live-list'];
const SERVER = /"--import", "tsx", (\w+\(new URL\("[\w-]+\.)ts"/;

const startBuiltServer = (file) => {
  const text = readFileSync(file, 'utf8');
  if (!SERVER.test(text)) throw new Error(`${file} starts no server beside it`);
  writeFileSync(file, text.replace(SERVER, '$1mjs"'));
};

/** `npm run soak`, and beside it what it has run for long: each where it looks for the other. */
const SOAK = {
  'scripts/soak/main': 'scripts/soak/main.mjs',
  'dist/index': 'src/index.ts',
  'dist/stdio': 'src/bridge/stdio.ts',
  'dist/config': 'src/config/index.ts',
  'dist/testing': 'src/testing/index.ts',
};
const SOAK_SERVER = 'scripts/support/raw-server.mjs';

const buildSoak = (outdir) => {
  buildSync({ ...settings, entryPoints: SOAK, outExtension: {}, outdir });
  writeFileSync(join(outdir, 'package.json'), '{"type":"module"}');
  writeFileSync(join(outdir, 'main.mjs'), "import './scripts/soak/main.js';");
  mkdirSync(join(outdir, dirname(SOAK_SERVER)));
  copyFileSync(join(ROOT, SOAK_SERVER), join(outdir, SOAK_SERVER));
};

export default () => {
  const folder = mkdtempSync(join(tmpdir(), 'rx-mcp-programs-'));
  // The processes of the run are made after this, and inherit it.
  process.env[FOLDER] = folder;
  for (const [group, entryPoints] of Object.entries(GROUPS))
    buildSync({ ...settings, entryPoints, outdir: join(folder, group) });
  for (const name of WITH_SERVER) startBuiltServer(join(folder, 'examples', `${name}.mjs`));
  buildSoak(join(folder, 'soak'));
};
