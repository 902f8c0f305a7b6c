/**
 * After `npm run build`: the entries that promise to run in a browser must need nothing of Node, neither
 * themselves nor through a chunk they share with another entry, and importing them must do nothing.
 * Looks at both formats, then bundles the ESM form for a browser and runs it in a bare context.
 */
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import ts from 'typescript';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const dist = resolve(root, 'dist');
const ENTRIES = ['index', 'testing', 'auth', 'http-engine-fetch'];
const ALLOWED = new Set([
  'rxjs',
  'zod/mini',
  '@cfworker/json-schema',
  '@noble/hashes/sha2',
  '@noble/hashes/utils',
  'eventsource-parser',
  'minisearch',
  'oauth4webapi',
  '#http-engine',
]);
const NODE_GLOBALS = new Set([
  'process',
  'Buffer',
  '__dirname',
  '__filename',
  'setImmediate',
  'clearImmediate',
  'global',
]);

/** Every module a file asks for: imports, re-exports, `import()` and `require()`; and the Node globals it names. */
const readModule = (file) => {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const modules = [];
  const globals = new Set();
  const visit = (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
      modules.push(node.moduleSpecifier.text);
    }
    if (ts.isCallExpression(node)) {
      const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
      const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require';
      if (isImport || isRequire) {
        const [argument] = node.arguments;
        modules.push(argument !== undefined && ts.isStringLiteralLike(argument) ? argument.text : '(computed)');
      }
    }
    if (ts.isIdentifier(node) && NODE_GLOBALS.has(node.text) && isFree(node)) globals.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { modules, globals };
};

/** A name on its own, not a property of something else and not a key. */
const isFree = (node) => {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
  if (ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent)) return parent.name !== node;
  return !ts.isTypeOfExpression(parent);
};

/** Set by zod itself, so that several copies of it share one configuration. */
const GLOBALS_OF_DEPENDENCIES = new Set(['__zod_globalConfig']);

const problems = [];

const walk = (file, trail, seen) => {
  if (seen.has(file)) return;
  seen.add(file);
  const path = [...trail, relative(root, file)];
  const { modules, globals } = readModule(file);
  for (const name of globals) problems.push(`${path.join(' -> ')} uses ${name}`);
  for (const name of modules) {
    if (name.startsWith('.')) walk(resolve(dirname(file), name), path, seen);
    else if (isBuiltin(name) || !ALLOWED.has(name)) problems.push(`${path.join(' -> ')} -> ${name}`);
  }
};

for (const entry of ENTRIES) {
  for (const suffix of ['js', 'cjs']) {
    const seen = new Set();
    walk(resolve(dist, `${entry}.${suffix}`), [], seen);
    console.log(`browser-safe: ${entry}.${suffix} and what it loads: ${seen.size} files`);
  }
}

const context = createContext({
  ...{ AbortController, AbortSignal, DOMException, Event, EventTarget, MessageChannel, TextDecoder, TextEncoder, URL },
  ...{ clearInterval, clearTimeout, crypto, performance, queueMicrotask, setInterval, setTimeout, structuredClone },
});

for (const entry of problems.length === 0 ? ENTRIES : []) {
  const { outputFiles } = await build({
    entryPoints: [resolve(dist, `${entry}.js`)],
    ...{ bundle: true, write: false, minify: true, platform: 'browser', format: 'iife', globalName: 'loaded' },
    logLevel: 'silent',
    // As in a project of a user, where no path leads to our sources.
    tsconfigRaw: {},
  });
  const code = outputFiles[0].text;
  const before = new Set(Object.getOwnPropertyNames(context));
  runInContext(code, context);
  const names = Object.keys(runInContext('loaded', context));
  const left = Object.getOwnPropertyNames(context).filter(
    (name) => name !== 'loaded' && !before.has(name) && !GLOBALS_OF_DEPENDENCIES.has(name),
  );
  if (names.length === 0) problems.push(`${entry}: exports nothing`);
  if (left.length > 0) problems.push(`${entry}: importing it sets ${left.join(', ')}`);
  const kilobytes = (gzipSync(code).length / 1024).toFixed(1);
  console.log(
    `browser-safe: ${entry} runs in a bare context: ${names.length} exports, ${kilobytes} KB bundled and gzipped`,
  );
}

for (const problem of problems) console.error(`not browser-safe: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
