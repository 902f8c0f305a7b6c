/**
 * Runs every command that `docs/command.md` shows, and writes what it says below it, so that the page stays true:
 *
 *     node scripts/transcripts.mjs [--check] [--program dist/cli.js]
 *
 * A block that begins with `$ rx-mcp` is run in a folder with a config, without a terminal; one whose fence says `terminal`
 * at a pseudo-terminal, where what stands in TYPED is typed. With `--check` nothing is written, and the exit code is 1 where
 * the page is not true; times, and how long lines are padded for them, do not count.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { screenAfter } from './support/terminal.mjs';

const { values: flags } = parseArgs({
  options: { check: { type: 'boolean', default: false }, program: { type: 'string', default: 'dist/cli.js' } },
});
const root = resolve(import.meta.dirname, '..');
const page = join(root, 'docs/command.md');
const program = resolve(root, flags.program);

/** What is typed at a terminal when the command asks, by the command; `shot` is shown as soon as it is there. */
const TYPED = {
  'rx-mcp call interview greet': {
    answers: [
      ['characters): ', 'Ada\r'],
      ['Hello): ', '2\r'],
      ['1): ', '\r'],
      ['[c]ancel: ', 'y\r'],
    ],
  },
  'rx-mcp call interview sign-in': { answers: [['[c]ancel: ', 'd\r']] },
  'rx-mcp call everything trigger-long-running-operation duration=2 steps=4': { shot: '50%' },
};

const CONFIG = {
  mcpServers: {
    workshop: { command: 'node', args: ['servers/workshop-stdio.mjs', 'dual'] },
    interview: { command: 'node', args: ['servers/interview-stdio.mjs', 'modern'] },
    everything: { command: 'node', args: ['node_modules/.bin/mcp-server-everything', 'stdio'] },
    weather: { command: 'uvx-not-installed', args: ['weather-server'] },
    tickets: { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer ${TICKETS_TOKEN}' } },
    notes: { command: 'node', disabled: true },
  },
};

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rx-mcp-transcripts-')));
const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', TERM: 'xterm', HOME: folder, COLUMNS: '80' };
delete env.TICKETS_TOKEN;

const quoted = (word) => `'${word.replaceAll("'", `'\\''`)}'`;

/** The command of a line, for a shell: the line itself may have quotes. */
const shellLine = (line) => line.replace(/^rx-mcp/, () => [process.execPath, program].map(quoted).join(' '));

const run = async (line, atTerminal) => {
  const { answers = [], shot } = (atTerminal && TYPED[line]) || {};
  const command = shellLine(line);
  const child = atTerminal
    ? spawn('script', ['-qefc', `stty cols 80 rows 24; ${command}`, '/dev/null'], { cwd: folder, env, stdio: 'pipe' })
    : spawn('sh', ['-c', `${command} 2>&1`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [said, heard, snapshot] = ['', 0, undefined];
  const left = [...answers];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text;
    const [next] = left;
    if (next !== undefined && said.indexOf(next[0], heard) >= 0) {
      left.shift();
      heard = said.length;
      child.stdin.write(next[1]);
    }
    if (shot !== undefined && snapshot === undefined && said.includes(shot)) snapshot = screenAfter(said);
  });
  await once(child, 'close');
  const text = snapshot ?? (atTerminal ? screenAfter(said) : said);
  return text.replaceAll(folder, '~/project').trim();
};

/** What of a transcript must be the same the next time. */
const essence = (text) =>
  text
    .replace(/\d+(?:\.\d+)? (?:ms|s)\b/g, 'TIME')
    .replace(/\d\d:\d\d:\d\d\.\d{3}/g, 'CLOCK')
    .replace(/ETA \S+/g, 'ETA')
    // How much fits before it depends on the times beside it.
    .replace(/\S*…/g, '…')
    .replace(/[ \t]+/g, ' ')
    .replace(/ $/gm, '');

const BLOCK = /```console( terminal)?\n\$ (rx-mcp[^\n]*)\n([^]*?)```/g;

try {
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify(CONFIG));
  symlinkSync(join(root, 'spec/support/servers'), join(folder, 'servers'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const before = readFileSync(page, 'utf8');
  let [after, at] = ['', 0];
  for (const block of before.matchAll(BLOCK)) {
    const [whole, terminal = '', line] = block;
    after += before.slice(at, block.index);
    after += `\`\`\`console${terminal}\n$ ${line}\n${await run(line, terminal !== '')}\n\`\`\``;
    at = block.index + whole.length;
  }
  after += before.slice(at);
  const same = essence(before) === essence(after);
  if (!flags.check) {
    if (!same) writeFileSync(page, after);
    console.log(same ? 'docs/command.md is as it was' : 'docs/command.md was written');
  } else if (same) console.log('docs/command.md is true');
  else {
    const [was, is] = [essence(before).split('\n'), essence(after).split('\n')];
    const index = is.findIndex((line, number) => line !== was[number]);
    console.error(`docs/command.md is not true: it says\n  ${was[index]}\nwhere the command says\n  ${is[index]}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
