// Installs one published package into a folder of its own, once.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const npm = (args, cwd, timeoutMs) =>
  new Promise((resolve) => {
    const child = spawn('npm', args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
      detached: process.platform !== 'win32', // a group of its own: a stuck install ends with all it started
    });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.stderr.on('data', (chunk) => (text += chunk));
    const timer = setTimeout(() => {
      text += `\nnpm was stopped after ${timeoutMs} ms`;
      try {
        process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
      } catch {
        // ended meanwhile
      }
    }, timeoutMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ ok: false, text: String(error) });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ ok: code === 0, text });
    });
  });

const lastError = (text) =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('A complete log of this run'))
    .slice(0, 3)
    .join(' ');

const recorded = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/**
 * Makes sure that `name` (a package with its version) is in `<folder>/pkg`. Nothing is done when it already is.
 * `scripts` says whether the install scripts of the package and of its dependencies may run.
 * Resolves to `{ ok, reason, ms, fresh }`; never rejects.
 */
export const install = async ({ name, folder, scripts = false, timeoutMs = 600_000 }) => {
  const pkg = join(folder, 'pkg');
  const record = join(folder, 'installed.json');
  const before = recorded(record);
  if (before?.package === name && (before.scripts || !scripts) && existsSync(pkg)) {
    return { ok: true, ms: 0, fresh: false, scripts: before.scripts };
  }
  const started = Date.now();
  rmSync(record, { force: true });
  rmSync(pkg, { recursive: true, force: true });
  mkdirSync(pkg, { recursive: true });
  writeFileSync(join(pkg, 'package.json'), '{"private":true}\n');
  const args = ['install', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const result = await npm([...args, ...(scripts ? [] : ['--ignore-scripts']), name], pkg, timeoutMs);
  writeFileSync(join(folder, 'install.log'), result.text);
  if (result.ok) writeFileSync(record, `${JSON.stringify({ package: name, scripts })}\n`);
  return {
    ok: result.ok,
    ms: Date.now() - started,
    fresh: true,
    scripts,
    reason: result.ok ? undefined : lastError(result.text),
  };
};
