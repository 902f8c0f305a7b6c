// The page about the command shows what the command says.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { describeAtTerminal, programFile, ROOT, RUN_MS } from '../support/cli/command.js';

describeAtTerminal('docs/command.md', () => {
  it(
    'is true',
    async () => {
      const args = ['scripts/transcripts.mjs', '--check', '--program', programFile()];
      const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, NODE_OPTIONS: '' } });
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)));
      const [code] = await once(child, 'close');
      expect({ said, code }).toEqual({ said: 'docs/command.md is true\n', code: 0 });
    },
    2 * RUN_MS,
  );
});
