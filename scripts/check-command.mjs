/**
 * After `npm run build`: the command is one that can be installed. It begins with a line that names its interpreter, may be
 * executed, brings the packages that are no dependencies of the library together with their licences, and runs: it talks
 * to a server over stdio, and to one that is not there over HTTP, which loads the engine of the package.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const { bin, dependencies, peerDependencies, version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const failed = [];
const check = (claim, holds) => {
  console.log(`${holds ? 'holds' : 'FAILS'}: command: ${claim}`);
  if (!holds) failed.push(claim);
};

const main = at(bin['rx-mcp']);
check('it names its interpreter', readFileSync(main, 'utf8').startsWith('#!/usr/bin/env node\n'));
check('it may be executed', process.platform === 'win32' || (statSync(main).mode & 0o111) === 0o111);

const files = [
  main,
  ...readdirSync(at('dist/cli'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => at(`dist/cli/${name}`)),
];
const allowed = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies), '#http-engine']);
const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const strangers = files.flatMap((file) =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)[^'"]*from ["']([^"'.][^"']*)["']|\bimport\(["']([^"'.][^"']*)["']\)/gm,
    ),
  ]
    .map(([, a, b]) => a ?? b)
    .filter((specifier) => !isBuiltin(specifier) && !allowed.has(packageOf(specifier))),
);
check(
  `it needs no package that is not installed with it${strangers.length === 0 ? '' : `: ${strangers.join(', ')}`}`,
  strangers.length === 0,
);
const licences = readFileSync(at('dist/cli/LICENSES.txt'), 'utf8');
check(
  'it has the licences of what it contains',
  ['commander', 'cli-progress'].every((name) => licences.includes(`\n${name} `)),
);

const run = (...args) => spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', timeout: 60_000 });
check('it tells its version', run('--version').stdout === `${version}\n`);
const server = `'${process.execPath}' '${at('spec/support/servers/workshop-stdio.mjs')}' dual`;
check('it calls a tool over stdio', run('call', '--stdio', server, 'add', 'a=1', 'b=2').stdout === '3\n');
const refused = run('list', '--url', 'http://127.0.0.1:1/mcp');
check('it speaks HTTP', refused.status === 4 && refused.stderr.includes('ECONNREFUSED'));

process.exitCode = failed.length === 0 ? 0 : 1;
