// What a process should not do. For stdio alone.
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';

const call = (deed) => () => ({ call: deed });
const first = (stage, deed) => () => ({ [stage]: (turn) => (turn.life === 1 ? deed(turn) : turn.say(turn.answer())) });
const stay = () => setInterval(() => undefined, 1_000_000);

/** Starts a process that stays, in the group of this one, and names it. */
const grandchild = (raw, stdio) => {
  const { pid } = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1e6)'], {
    stdio,
  });
  raw(`pid ${pid}\n`, 2);
};

export const processes = {
  'exits with 0 in the middle of a call': call(() => process.exit(0)),
  'exits with 3 and says why': call(({ raw }) => {
    raw('it hurts\n', 2);
    process.exit(3);
  }),
  'is killed in the middle of a call': call(() => process.kill(process.pid, 'SIGKILL')),
  'throws in the middle of a call': call(() => {
    process.nextTick(() => {
      throw new Error('a bug of the server');
    });
  }),
  'exits in the middle of its answer': call(({ raw, answer }) => {
    raw(JSON.stringify(answer()).slice(0, 30));
    process.exit(1);
  }),
  'answers without the end of its line, and exits': call(({ raw, answer }) => {
    raw(JSON.stringify(answer()));
    process.exit(0);
  }),
  'answers, and exits': call(({ say, answer }) => {
    say(answer());
    process.exit(0);
  }),
  'exits in the middle of a list': first('list', () => process.exit(1)),
  'exits before its first byte': () => ({ start: () => process.exit(9) }),
  'exits before its first byte, the first time': () => ({ start: ({ life }) => life === 1 && process.exit(9) }),
  'crashes in the probe': () => ({ discover: () => process.exit(1) }),
  'crashes in initialize': () => ({ discover: () => process.exit(1), initialize: () => process.exit(2) }),
  'closes its stdout and lives': call(() => {
    stay();
    closeSync(1);
  }),
  'closes its stdin and lives, and does not answer': call(() => {
    stay();
    process.stdin.destroy();
    // Node leaves the descriptor open.
    closeSync(0);
  }),
  'leaves a process that holds its stdout': call(({ raw }) => {
    grandchild(raw, 'inherit');
    process.exit(0);
  }),
  'leaves a process that holds its stdout, and has answered': call(({ raw, say, answer }) => {
    grandchild(raw, 'inherit');
    say(answer());
    process.exit(0);
  }),
  'starts a process that outlives it': call(({ raw, say, answer }) => {
    grandchild(raw, 'ignore');
    say(answer());
  }),
  'does not hear the end of its stdin, nor SIGTERM': call(({ say, answer }) => {
    process.on('SIGTERM', () => undefined);
    stay();
    say(answer());
  }),
  'writes for ever once its stdin has ended': call(({ say, answer, raw }) => {
    process.on('SIGTERM', () => undefined);
    process.stdin.on('end', () => setInterval(() => raw('more and more\n'.repeat(1_000)), 1));
    say(answer());
  }),
  'writes 50 MB to stderr': call(({ raw, say, answer }) => {
    const line = `${'x'.repeat(999)}\n`.repeat(1_000);
    for (let n = 0; n < 50; n += 1) raw(line, 2);
    say(answer());
  }),
  'writes a line to stderr that does not end': call(({ raw, say, answer }) => {
    raw('x'.repeat(5_000_000), 2);
    say(answer());
  }),
  'closes its stderr': call(({ say, answer }) => {
    closeSync(2);
    say(answer());
  }),
  'stops reading': call(() => {
    process.stdin.pause();
    stay();
  }),
  'stops reading, and asks 600 times': call(({ say }) => {
    process.stdin.pause();
    stay();
    const pad = 'x'.repeat(10_000);
    for (let n = 0; n < 600; n += 1) say({ jsonrpc: '2.0', id: `${n}${pad}`, method: 'ping' });
  }),
  'stops itself': call(() => process.kill(process.pid, 'SIGSTOP')),
};
