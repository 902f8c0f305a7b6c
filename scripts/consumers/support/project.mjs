// Fresh projects in temporary folders, with the packed package installed as anybody installs it.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const INSTALL = ['install', '--no-audit', '--no-fund', '--no-update-notifier', '--prefer-offline', '--loglevel=error'];

/** Runs a command to its end. What it prints is the answer; that it fails, or says nothing for too long, an error. */
export const run = (command, args, { cwd, env = {}, timeoutMs = 300_000 } = {}) =>
  new Promise((fulfil, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && !/\.exe$/.test(command),
      timeout: timeoutMs,
    });
    let printed = '';
    child.stdout.on('data', (chunk) => (printed += chunk));
    child.stderr.on('data', (chunk) => (printed += chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) return fulfil(printed);
      reject(new Error(`${command} ${args.join(' ')} ended with ${code ?? signal}:\n${printed}`));
    });
  });

/** A folder that nothing of this repository can be found from. */
export const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'rx-mcp-consumers-'));

/**
 * Makes a project from a template: its files, a manifest, and what it needs, with the packed package beside.
 * @param packages what it needs besides, by name: a version
 */
export const makeProject = async ({ folder, template, tarball, packages, type = 'module', scripts = false }) => {
  mkdirSync(folder, { recursive: true });
  cpSync(template, folder, { recursive: true });
  const dependencies = { 'rx-mcp': `file:${resolve(tarball)}`, ...packages };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type, dependencies }, null, 2));
  await run('npm', [...INSTALL, ...(scripts ? [] : ['--ignore-scripts'])], { cwd: folder });
  return folder;
};

/** The program of an installed package, to be run by this Node. */
export const programOf = (folder, path) => join(folder, 'node_modules', path);
