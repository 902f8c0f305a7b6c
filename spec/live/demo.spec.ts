// The demo: run as its users run it, and, built beforehand with its server, at a terminal, into a pipe, against other servers,
// and interrupted.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { program } from '../support/programs/program.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PATIENCE_MS = 120_000;
const MARK = 'RX_MCP_DEMO_RUN';

/** Only Linux shows the environment of other processes to everybody, by which those of a run are known. */
const itOnLinux = process.platform === 'linux' ? it : it.skip;
/** Windows has no `script`, which lends a program a pseudo-terminal. */
const describeAtTerminal = process.platform === 'win32' ? describe.skip : describe;

interface Run {
  readonly child: ChildProcess;
  readonly mark: string;
  readonly out: () => string;
  /** Resolves when the process has ended and its output is read. */
  readonly ended: Promise<{ readonly out: string; readonly err: string; readonly code: number | null }>;
}

const running = new Set<ChildProcess>();

const start = (command: string, args: readonly string[]): Run => {
  const mark = randomUUID();
  const env = { ...process.env, NODE_OPTIONS: '', TERM: 'xterm', [MARK]: mark };
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['pipe', 'pipe', 'pipe'] });
  running.add(child);
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return { out, err, code: code as number | null };
  });
  return { child, mark, out: () => out, ended };
};

/** Resolves when the text is there; rejects when the process has ended without it. */
const saying = async ({ child, out, ended }: Run, text: string): Promise<void> => {
  while (!out().includes(text)) {
    const end = await Promise.race([once(child.stdout!, 'data'), ended]);
    if ('code' in end && !out().includes(text)) throw new Error(`it ended without ${text}: ${end.out}${end.err}`);
  }
};

/** As its users do: it and the server beside it are translated as they start. */
const startSource = (...args: readonly string[]): Run =>
  start(process.execPath, ['--import', 'tsx', 'examples/demo/main.ts', ...args]);

const built = (args: readonly string[]): string[] => [program('examples', 'demo/main'), ...args];

/** The same, built beforehand. */
const startBuilt = (...args: readonly string[]): Run => start(process.execPath, built(args));

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ');

/** What is written to its stdin is typed at the keyboard. */
const startAtTerminal = (...args: readonly string[]): Run => {
  const words = [process.execPath, ...built(args)];
  return process.platform === 'darwin'
    ? // This `script` takes a terminal or a true pipe as its stdin, and what Node gives a child is a socket.
      start('sh', ['-c', `cat | script -q /dev/null ${quoted(words)}`])
    : start('script', ['-qec', quoted(words), '/dev/null']);
};

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n');

/** The processes of a run that live now. */
const processesOf = ({ mark }: Run): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${MARK}=${mark}`);
      } catch {
        return false;
      }
    });

const ESC = '\u001b';
const TOKENS = new RegExp(`${ESC}\\[([\\d;?]*)([A-Za-z])|\\r|\\n|[^\\r\\n${ESC}]+|${ESC}`, 'g');

/** How often and in which order a transcript switches a setting of the terminal on (`h`) and off (`l`). */
const switches = (transcript: string, setting: number): string[] =>
  [...transcript.matchAll(new RegExp(`${ESC}\\[\\?${setting}([hl])`, 'g'))].map(([, to = '']) => to);

/** What a terminal shows after a transcript, row by row. It fails at a sequence it does not know. */
const screenAfter = (transcript: string): string[] => {
  const rows: string[] = [];
  let row = 0;
  let column = 0;
  const put = (text: string, from: number): void => {
    rows[row] = (rows[row] ?? '').padEnd(from).slice(0, from) + text + (rows[row] ?? '').slice(from + text.length);
  };
  const obey = (parameter: string, final: string): void => {
    const line = rows[row] ?? '';
    if (final === 'A') row = Math.max(0, row - Number(parameter || 1));
    else if (final === 'G') column = Number(parameter || 1) - 1;
    else if (final === 'K') rows[row] = parameter === '2' ? '' : line.slice(0, column);
    // Showing and hiding the cursor, wrapping lines or not: nothing that is seen.
    else if (!/^\?(25|7)[hl]$/.test(parameter + final)) throw new Error(`unknown sequence ${parameter}${final}`);
  };
  for (const [token, parameter, final] of transcript.matchAll(TOKENS)) {
    if (final !== undefined) obey(parameter ?? '', final);
    else if (token === '\r') column = 0;
    else if (token === '\n') row += 1;
    else if (token === ESC) throw new Error('an unknown sequence');
    else {
      put(token, column);
      column += token.length;
    }
  }
  return Array.from(rows, (text) => (text ?? '').trimEnd());
};

const SUMMARY = /^3 done, 1 cancelled, 1 failed, 7 log lines, \d+\.\d s$/;

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

describe.each([
  { flag: '--modern', opening: ['era: modern', 'version: 2026-07-28'], begin: startSource },
  { flag: '--legacy', opening: ['era: legacy', 'version: 2025-11-25'], begin: startBuilt },
])('the demo with $flag, without a terminal', ({ flag, opening, begin }) => {
  let run: Run;
  let ended: Awaited<Run['ended']>;
  let lines: string[];
  beforeAll(async () => {
    run = begin(flag);
    ended = await run.ended;
    lines = linesOf(ended.out);
  }, PATIENCE_MS);

  it('ends by itself with exit code 0, and complains of nothing', () => {
    expect({ code: ended.code, err: ended.err }).toEqual({ code: 0, err: '' });
  });

  it('begins with the era and the revision', () => {
    expect(lines.slice(0, 2)).toEqual(opening);
  });

  it('writes plain lines without one escape byte', () => {
    expect(ended.out).toContain('[2] 50% frame 6 of 12\n');
    expect(ended.out).not.toContain(ESC);
    expect(ended.out).not.toContain('\r');
  });

  it('names each tool with its description', () => {
    expect(lines.slice(2, 4)).toEqual([
      '  develop  Develops a film, frame by frame, and reports on each',
      '  print    Prints a frame on paper, if there is any',
    ]);
  });

  it('brings three of the four calls to their end, each with all its progress', () => {
    expect(lines.filter((line) => / 100% | done: /.test(line)).sort()).toEqual([
      '[1] 100% frame 10 of 10',
      '[1] done: 10 frames',
      '[2] 100% frame 12 of 12',
      '[2] done: 12 frames',
      '[4] 100% frame 8 of 8',
      '[4] done: 8 frames',
    ]);
  });

  it('has the four calls under way at once', () => {
    const reports = lines.filter((line) => /^\[[1-4]\] [1-9]/.test(line)).map((line) => line.slice(0, 3));
    const changes = reports.filter((slot, index) => index > 0 && slot !== reports[index - 1]);
    expect(changes.length).toBeGreaterThan(4);
  });

  it('gives one call up half way, and the server sees it', () => {
    const ofThird = lines.filter((line) => line.startsWith('[3]'));
    expect(ofThird.slice(-2)).toEqual(['[3] 50% frame 8 of 16', '[3] cancelled: given up at 50%']);
    expect(ended.out).toMatch(/^stderr {2}\| market: aborted while frame \d+ of 16 was in the bath$/m);
  });

  it('prints the server’s log from the level it asked for, each message once', () => {
    expect(lines.filter((line) => /^(debug|info|notice) /.test(line)).sort()).toEqual([
      'info    | harbour: 10 frames go into the bath',
      'info    | market: 16 frames go into the bath',
      'info    | portraits: 8 frames go into the bath',
      'info    | winter: 12 frames go into the bath',
      'notice  | harbour: hung up to dry',
      'notice  | portraits: hung up to dry',
      'notice  | winter: hung up to dry',
    ]);
  });

  it('closes with the tool that fails as a result, and a summary', () => {
    expect(lines.at(-2)).toBe('[5] failed: there is no baryta paper left');
    expect(lines.at(-1)).toMatch(SUMMARY);
  });

  itOnLinux('leaves no process behind', () => {
    expect(processesOf(run)).toEqual([]);
  });
});

describeAtTerminal.each([{ flag: '--modern' }, { flag: '--legacy' }])(
  'the demo with $flag, at a terminal',
  ({ flag }) => {
    const full = '█'.repeat(30);
    const half = '█'.repeat(15) + '░'.repeat(15);
    let transcript: string;
    let code: number | null;
    let screen: string[];
    beforeAll(async () => {
      const run = startAtTerminal(flag);
      run.child.stdin!.end();
      ({ out: transcript, code } = await run.ended);
      screen = screenAfter(transcript);
    }, PATIENCE_MS);

    it('ends by itself with exit code 0', () => {
      expect(code).toBe(0);
    });

    it('leaves three full bars and one that was cancelled half way, the failing tool, and the summary', () => {
      expect(screen.slice(-6)).toEqual([
        `[1] harbour    ${full} 100% done: 10 frames`,
        `[2] winter     ${full} 100% done: 12 frames`,
        `[3] market     ${half}  50% cancelled: given up at 50%`,
        `[4] portraits  ${full} 100% done: 8 frames`,
        '[5] failed: there is no baryta paper left',
        expect.stringMatching(SUMMARY),
      ]);
    });

    it('keeps what the server says above the bars, whole', () => {
      const above = screen.slice(6, -6);
      expect(above.filter((row) => /^(info|notice) {2,4}\| \w+: [\w ]+$/.test(row))).toHaveLength(7);
      expect(above.filter((row) => row.startsWith('stderr  | market: aborted'))).toHaveLength(1);
      expect(above).toHaveLength(8);
    });

    it('moves the bars while the calls run', () => {
      const seen = new Set([...transcript.matchAll(/\[4\] portraits +[█░]+ +(\d+)%/g)].map(([, percent]) => percent));
      expect(seen.size).toBeGreaterThan(2);
    });

    it('shows the cursor and wraps lines again at the end', () => {
      expect(switches(transcript, 25)).toEqual(['l', 'h']);
      expect(switches(transcript, 7)).toEqual(['l', 'h']);
    });
  },
);

describeAtTerminal('Ctrl-C in the middle of the demo', () => {
  let run: Run;
  let before: string[] = [];
  let ended: Awaited<Run['ended']>;
  beforeAll(async () => {
    run = startAtTerminal();
    await saying(run, '[1] harbour');
    if (process.platform === 'linux') before = processesOf(run);
    run.child.stdin!.end('\u0003');
    ended = await run.ended;
  }, PATIENCE_MS);

  it('ends it with the exit code of an interruption', () => {
    expect(ended.code).toBe(130);
    expect(ended.out).not.toMatch(/ \d done,/);
  });

  it('leaves the terminal as it was', () => {
    expect(switches(ended.out, 25)).toEqual(['l', 'h']);
    expect(switches(ended.out, 7)).toEqual(['l', 'h']);
    expect(ended.out).not.toMatch(/error/i);
  });

  itOnLinux('leaves no process behind', () => {
    expect(before.length).toBeGreaterThanOrEqual(2);
    expect(processesOf(run)).toEqual([]);
  });
});

describe('the demo against another server', () => {
  it(
    'lists what it offers, in the era it speaks',
    async () => {
      const { out, err, code } = await startBuilt('--', 'node_modules/.bin/mcp-server-everything', 'stdio').ended;
      const lines = linesOf(out);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(lines.slice(0, 2)).toEqual(['era: legacy', 'version: 2025-11-25']);
      expect(lines).toContainEqual(expect.stringMatching(/^ {2}echo +Echoes back the input string$/));
      expect(lines.filter((line) => line.startsWith('  '))).toHaveLength(13);
      expect(lines.slice(-2)).toEqual(['server: mcp-servers/everything 2.0.0', 'tools: 13, prompts: 4, resources: 7']);
    },
    PATIENCE_MS,
  );

  it.each([
    {
      what: 'there is no such command',
      args: ['--', 'no-such-command-at-all'],
      says: /^demo: .*no-such-command-at-all.*ENOENT/,
    },
    {
      what: 'the server dies',
      args: ['--', process.execPath, '-e', 'console.error("I have\\nno key"); process.exit(3)'],
      says: /^demo: ServerGoneError: .* exited with code 3; .*I have no key$/,
    },
    { what: 'no command is given', args: ['--'], says: /^demo: .*command of a server/ },
    { what: 'an option is unknown', args: ['--modem'], says: /^demo: .*--modem/ },
    { what: 'both eras are asked for', args: ['--modern', '--legacy'], says: /^demo: .*not both$/ },
  ])(
    'says so in one line on stderr, with exit code 1, when $what',
    async ({ args, says }) => {
      const { out, err, code } = await startBuilt(...args).ended;
      expect({ out, code }).toEqual({ out: '', code: 1 });
      expect(linesOf(err)).toEqual([expect.stringMatching(says)]);
    },
    PATIENCE_MS,
  );

  it(
    'ends quietly, and its server with it, when whoever reads its output has left',
    async () => {
      const run = startBuilt('--modern');
      await saying(run, '[1] ');
      run.child.stdout!.destroy();
      const { err, code } = await run.ended;
      expect({ err, code }).toEqual({ err: '', code: 0 });
      // The server was killed, but nobody waited for its end.
      while (process.platform === 'linux' && processesOf(run).length > 0) await nextTurn();
    },
    PATIENCE_MS,
  );
});
