// The words of a server whose every word is meant for the terminal: what the command prints is text, whatever it prints.
import { describe, expect, it } from '@jest/globals';
import {
  CONTROL,
  describeAtTerminal,
  RUN_MS,
  runCommand,
  serverLine,
  startAtTerminal,
  startCommand,
} from '../support/cli/command.js';
import { runWithin } from '../support/cli/within.js';

const LINE = serverLine('rude-stdio.mjs');

describe.each([[[]], [['--json']], [['--verbose']]])('a rude server, with %j', (flags) => {
  it.each([
    ['list', [], 0],
    ['call', ['talk'], 0],
    ['call', ['refuse'], 1],
    ['call', ['break'], 1],
    ['read', ['rude://it'], 0],
    ['prompt', ['greet'], 0],
    ['inspect', ['--once'], 0],
    ['doctor', [], 0],
  ] as const)(
    'does not reach the terminal through %s %j',
    async (name, words, code) => {
      const ended = await runWithin([name, '--stdio', LINE, ...words, ...flags]);
      expect(ended.code).toBe(code);
      expect(ended.out + ended.err).not.toMatch(CONTROL);
      expect(ended.out + ended.err).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      // It has spoken all the same; what is said is not lost.
      if (flags.length === 0 && code === 0) expect(ended.out).toMatch(/tool|result|contents|hello|rude|name/);
      // Of the sequences not a letter is left where text is shown; JSON, as of a block that nobody knows, has them as escapes.
      if (!(flags as readonly string[]).includes('--json') && name !== 'inspect') {
        const text = (ended.out + ended.err).replace(/^\{.*$/gm, '');
        expect(text).not.toMatch(/\[2J|owned|52;c|\[8m|31m/);
      }
    },
    RUN_MS,
  );

  it(
    'does not reach it through watch',
    async () => {
      const run = startCommand(['watch', '--stdio', LINE, ...flags]);
      await run.saying('templates');
      run.child.kill('SIGTERM');
      const { out, err } = await run.ended;
      expect(out + err).not.toMatch(CONTROL);
      expect(out).toContain('stderr');
    },
    RUN_MS,
  );
});

describe('the JSON of a rude server', () => {
  it(
    'holds what the server said, to the letter',
    async () => {
      const { out } = await runCommand(['call', '--stdio', LINE, 'talk', '--json']);
      // eslint-disable-next-line no-control-regex
      expect(JSON.parse(out).content[0].text).toMatch(/^\u001b\[2J\u001b\]0;owned\u0007.*result.*\u202e\r$/);
    },
    RUN_MS,
  );
});

describeAtTerminal('a rude server at a terminal', () => {
  it(
    'has no sequence in it but those of the bar and of the colours',
    async () => {
      const run = startAtTerminal(['call', '--stdio', LINE, 'talk'], { env: { NO_COLOR: '' } });
      const { out, code } = await run.ended;
      expect(code).toBe(0);
      expect(out).toContain('logged');
      expect(out).toContain('result');
      // eslint-disable-next-line no-control-regex
      const own = out.replace(/\u001b\[(?:\d*[GKJA]|\?25[hl]|(?:1|2|22|31|32|33|36|39)m)/g, '').replace(/\r/g, '');
      expect(own).not.toMatch(CONTROL);
      expect(out.replace(/^\{.*$/gm, '')).not.toMatch(/owned|52;c|\[8m/);
    },
    RUN_MS,
  );

  it(
    'has no colours either with --no-color, or with NO_COLOR',
    async () => {
      const plain = startAtTerminal(['call', '--stdio', LINE, 'talk', '--no-color'], { env: { NO_COLOR: '' } });
      const asked = startAtTerminal(['call', '--stdio', LINE, 'talk'], { env: { NO_COLOR: '1' } });
      // eslint-disable-next-line no-control-regex
      for (const { out } of [await plain.ended, await asked.ended]) expect(out).not.toMatch(/\u001b\[\d+m/);
    },
    RUN_MS,
  );
});
