// Lines over the pipes of a child process, as barely as it can be done: no limit on a line, no care for a bad one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stdioCommand } from '../../servers/stdio-command.mjs';

/** Starts the raw server; `receive` is called with each message. `write(text)` sends a line as it is. */
export const openLines = (wire, receive) => {
  const { command, args } = stdioCommand(wire);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let pieces = [];
  child.stdout.on('data', (chunk) => {
    const end = chunk.lastIndexOf(10);
    if (end === -1) {
      pieces.push(chunk);
      return;
    }
    const whole = chunk.subarray(0, end);
    const text = (pieces.length === 0 ? whole : Buffer.concat([...pieces, whole])).toString();
    pieces = end + 1 === chunk.length ? [] : [chunk.subarray(end + 1)];
    for (const line of text.split('\n')) receive(JSON.parse(line));
  });
  return {
    write: (text) => child.stdin.write(text),
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
};
