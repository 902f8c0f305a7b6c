// The official conformance suite: how it is had, and how one scenario of it is run.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install } from './fleet-install.mjs';

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';

/** The suite uses what Node has since then; the client may run on an older one. */
const NODE_NEEDED = 22;

/** How long the suite gives the client of one scenario, and how long it has itself. */
const CLIENT_MS = 30_000;
const SUITE_MS = 60_000;

const have = async (name, folder) => {
  const installed = await install({ name, folder });
  if (!installed.ok) throw new Error(`${name} cannot be installed: ${installed.reason}`);
  return join(folder, 'pkg', 'node_modules');
};

/** The binary of a Node that is new enough: the running one, or one from the npm registry, without install scripts. */
const nodeFor = async (cache) => {
  if (Number(process.versions.node.split('.', 1)[0]) >= NODE_NEEDED) return process.execPath;
  const windows = process.platform === 'win32';
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const name = [prefix, windows ? 'win' : process.platform, process.arch].join('-');
  const modules = await have(`${name}@${NODE_NEEDED}`, join(cache, 'node'));
  return join(modules, name, 'bin', windows ? 'node.exe' : 'node');
};

/** Runs a program to its end. Resolves to its exit code (`undefined` where it was stopped) and what it said. */
const run = (command, args, limitMs) =>
  new Promise((resolve) => {
    // The client honours the proxy variables, and the servers here are on loopback.
    const direct = 'localhost,127.0.0.1,::1';
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_PROXY: direct, no_proxy: direct },
    });
    let out = '';
    let err = '';
    let stopped = false;
    child.stdout.setEncoding('utf8').on('data', (chunk) => (out += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk) => (err += chunk));
    const timer = setTimeout(() => {
      stopped = true;
      child.kill('SIGKILL');
    }, limitMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ code: undefined, out, err: `${err}${error}` });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code: stopped ? undefined : code, out, err });
    });
  });

/** Without `exec` the shell would be stopped in place of a client that hangs, and the suite would wait for it for ever. */
const commandOf = (client) => {
  const command = `"${process.execPath}" "${client}"`;
  return process.platform === 'win32' ? command : `exec ${command}`;
};

const readOr = (otherwise, read) => {
  try {
    return read();
  } catch {
    return otherwise;
  }
};

/** What the client said in the end, if it came that far. */
const lastWord = (text) => readOr(undefined, () => JSON.parse(text.trim().split('\n').at(-1)));

const clientEnd = (err) => {
  if (/^Client timed out/m.test(err)) return 'timeout';
  return /^Client exited with code (-?\d+)/m.exec(err)?.[1] ?? '0';
};

/**
 * Makes sure that the suite is in the folder `cache`, with a Node that it can run on. Resolves to its `list`, which is
 * what it prints, and its `scenario`, which runs one against `client` (a program of this Node) in processes of its own.
 */
export const openSuite = async (cache, client) => {
  const node = await nodeFor(cache);
  const modules = await have(SUITE, join(cache, 'suite'));
  const main = join(modules, '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  for (const file of [node, main])
    if (!existsSync(file)) throw new Error(`${file} is not there after its installation`);

  const list = async () => {
    const { code, out, err } = await run(node, [main, 'list', '--client'], SUITE_MS);
    if (code !== 0) throw new Error(`the suite cannot list its scenarios: ${err.trim().slice(0, 300)}`);
    return out;
  };

  const scenario = async (name, version, isExtension = false) => {
    const folder = mkdtempSync(join(tmpdir(), 'rx-mcp-conformance-'));
    try {
      const args = ['client', '--command', commandOf(client), '--scenario', name, '--spec-version', version];
      if (isExtension) args.push('--force');
      args.push('--output-dir', folder, '--timeout', String(CLIENT_MS));
      const { code, out, err } = await run(node, [main, ...args], SUITE_MS);
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      const fileOf = (end) =>
        readOr('', () =>
          readFileSync(
            join(
              folder,
              files.find((file) => file.endsWith(end)),
            ),
            'utf8',
          ),
        );
      return {
        exit: code,
        clientExit: clientEnd(err),
        checks: readOr([], () => JSON.parse(fileOf('checks.json'))),
        met: lastWord(fileOf('stdout.txt')),
        stderr: fileOf('stderr.txt'),
        text: `${out}${err}`,
      };
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  };

  return { name: SUITE, list, scenario };
};
