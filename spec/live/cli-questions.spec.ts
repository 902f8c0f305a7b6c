// The command at a pseudo-terminal: a server asks, and somebody answers; and without one, where nobody can.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appears } from '../support/child-processes.js';
import {
  describeAtTerminal,
  publishedLine,
  RUN_MS,
  runCommand,
  serverLine,
  startAtTerminal,
} from '../support/cli/command.js';

/** Both negotiate the modern era; a legacy server asks by requests of its own. */
const MODERN = serverLine('interview-stdio.mjs', 'modern');
const LEGACY = publishedLine('mcp-server-everything', 'stdio');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rx-mcp-questions-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describeAtTerminal('a form that a server wants filled in', () => {
  it(
    'is asked for field by field, checked, shown once more, changed, and sent',
    async () => {
      const run = startAtTerminal(['call', '--stdio', MODERN, 'greet']);
      await run.saying('node (it calls itself "interview") asks:');
      await run.saying('What is your name?');
      await run.saying('Name (at least 2 characters): ');
      run.type('A\r');
      await run.saying('String is too short');
      await run.saying('Name (at least 2 characters): ');
      run.type('Ada\r');
      await run.saying('1. Hello');
      await run.saying('2. Ahoy');
      await run.saying('greeting (Enter for Hello): ');
      run.type('3\r');
      await run.saying('give a number from the list');
      await run.saying('greeting (Enter for Hello): ');
      run.type('2\r');
      await run.saying('times (a whole number, 1 to 3, Enter for 1): ');
      run.type('\r');
      await run.saying('This will be sent:');
      await run.saying('Name: Ada');
      await run.saying('greeting: Ahoy');
      await run.saying('times: 1');
      await run.saying('[y]es, [e]dit, [d]ecline, [c]ancel: ');
      run.type('e\r');
      await run.saying('Name (at least 2 characters, Enter for Ada): ');
      run.type('\r');
      await run.saying('greeting (Enter for Ahoy): ');
      run.type('\r');
      await run.saying('times (a whole number, 1 to 3, Enter for 1): ');
      run.type('2\r');
      await run.saying('times: 2');
      await run.saying('[c]ancel: ');
      run.type('y\r');
      await run.saying('Ahoy Ada, Ahoy Ada');
      expect((await run.ended).code).toBe(0);
    },
    RUN_MS,
  );

  it.each([
    ['by a word at a field', 'Name (at least 2 characters): ', ':decline\r', 'decline'],
    ['by leaving it at a field', 'Name (at least 2 characters): ', ':cancel\r', 'cancel'],
    ['by the end of what is typed', 'Name (at least 2 characters): ', '\u0004', 'cancel'],
  ])(
    'is not filled in: %s',
    async (_how, prompt, typed, outcome) => {
      const run = startAtTerminal(['call', '--stdio', MODERN, 'greet']);
      await run.saying(prompt);
      run.type(typed);
      expect(await run.ended).toMatchObject({
        code: 0,
        out: expect.stringMatching(new RegExp(`\\n${outcome}\\r\\n$`)),
      });
    },
    RUN_MS,
  );

  it(
    'is declined where it is shown once more',
    async () => {
      const run = startAtTerminal(['call', '--stdio', MODERN, 'greet']);
      for (const typed of ['Ada\r', '\r', '\r']) {
        await run.saying('): ');
        run.type(typed);
      }
      await run.saying('[c]ancel: ');
      run.type('d\r');
      expect(await run.ended).toMatchObject({ code: 0, out: expect.stringMatching(/\ndecline\r\n$/) });
    },
    RUN_MS,
  );

  it(
    'is left by Ctrl-C, which ends the call',
    async () => {
      const run = startAtTerminal(['call', '--stdio', MODERN, 'greet']);
      await run.saying('Name (at least 2 characters): ');
      run.type('\u0003');
      expect(await run.ended).toMatchObject({ code: 130, out: expect.stringMatching(/cancelled\r\n$/) });
    },
    RUN_MS,
  );

  it(
    'may come from a legacy server, too',
    async () => {
      const run = startAtTerminal(['call', '--stdio', LEGACY, 'trigger-elicitation-request']);
      await run.saying('asks:');
      await run.saying('Ctrl-C ends the call)');
      run.type(':decline\r');
      expect(await run.ended).toMatchObject({ code: 0, out: expect.stringMatching(/declined/) });
    },
    RUN_MS,
  );

  it(
    'may come before a resource is read, or a prompt filled in',
    async () => {
      for (const [words, says] of [
        [['read', '--stdio', MODERN, 'interview://diary'], 'The diary of decline'],
        [['prompt', '--stdio', MODERN, 'letter'], 'Sign it with decline'],
      ] as const) {
        const run = startAtTerminal(words);
        await run.saying('Name (at least 2 characters): ');
        run.type(':d\r');
        await run.saying(says);
        expect((await run.ended).code).toBe(0);
      }
    },
    RUN_MS,
  );
});

describeAtTerminal('a page that a server wants visited', () => {
  const URL_ASKED = 'https://accounts.example.com/connect?id=7';

  /** A browser that notes what it was to open. */
  const browser = (name: string): { readonly note: string; readonly env: Readonly<Record<string, string>> } => {
    const note = join(folder, name);
    const program = join(folder, 'xdg-open');
    writeFileSync(
      program,
      `#!/bin/sh\nfor word in "$@"; do printf '%s\\n' "$word"; done > "$NOTE.part"; mv "$NOTE.part" "$NOTE"\n`,
    );
    chmodSync(program, 0o755);
    return { note, env: { NOTE: note, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` } };
  };

  it(
    'is not opened for a yes that was typed before anybody could see which page it is',
    async () => {
      const { note, env } = browser('early');
      const run = startAtTerminal(['call', '--stdio', MODERN, 'sign-in'], { env });
      run.type('y\r');
      await run.saying(URL_ASKED);
      await run.saying('Open it in your browser? [y]es, [d]ecline, [c]ancel: ');
      run.type('d\r');
      await run.saying('sign-in: decline');
      expect((await run.ended).code).toBe(0);
      expect(existsSync(note)).toBe(false);
    },
    RUN_MS,
  );

  it(
    'is shown whole, with its host, and opened after a yes',
    async () => {
      const { note, env } = browser('opened');
      const run = startAtTerminal(['call', '--stdio', MODERN, 'sign-in'], { env });
      await run.saying('node (it calls itself "interview") wants you to visit a page:');
      await run.saying('Please sign in');
      await run.saying(URL_ASKED);
      await run.saying('host: accounts.example.com');
      await run.saying('Open it in your browser? [y]es, [d]ecline, [c]ancel: ');
      // Enter alone is no consent.
      run.type('\r');
      await run.saying('Open it in your browser? [y]es, [d]ecline, [c]ancel: ');
      run.type('yes\r');
      await run.saying('sign-in: accept');
      expect((await run.ended).code).toBe(0);
      await appears(note);
      expect(readFileSync(note, 'utf8')).toBe(`${URL_ASKED}\n`);
    },
    RUN_MS,
  );

  it.each([
    ['d\r', 'decline'],
    ['c\r', 'cancel'],
    ['\u0004', 'cancel'],
  ])(
    'is not opened otherwise: %j',
    async (typed, action) => {
      const run = startAtTerminal(['call', '--stdio', MODERN, 'sign-in'], browser('not-opened'));
      await run.saying('[c]ancel: ');
      run.type(typed);
      await run.saying(`sign-in: ${action}`);
      expect((await run.ended).code).toBe(0);
      expect(() => readFileSync(join(folder, 'not-opened'))).toThrow('ENOENT');
    },
    RUN_MS,
  );

  it(
    'is left to the reader where there is no browser',
    async () => {
      // What lends the terminal must be found all the same.
      const bare = mkdtempSync(join(folder, 'bare-'));
      for (const name of ['script', 'stty', 'sh']) {
        const there = ['/usr/bin', '/bin'].map((bin) => join(bin, name)).find((path) => existsSync(path));
        if (there !== undefined) symlinkSync(there, join(bare, name));
      }
      const run = startAtTerminal(['call', '--stdio', MODERN, 'sign-in'], { env: { PATH: bare } });
      await run.saying('[c]ancel: ');
      run.type('y\r');
      await run.saying('No browser could be started: open the page yourself.');
      await run.saying('sign-in: accept');
      expect((await run.ended).code).toBe(0);
    },
    RUN_MS,
  );
});

describe('a server that asks where there is no terminal', () => {
  it(
    'is told that nobody can be asked, and so is the user',
    async () => {
      const { out, err, code } = await runCommand(['call', '--stdio', MODERN, 'greet']);
      expect({ out, code }).toEqual({ out: '', code: 1 });
      expect(err).toMatch(/elicitation/);
      expect(err).toContain('for that, stdin and stderr must be a terminal');
    },
    RUN_MS,
  );
});
