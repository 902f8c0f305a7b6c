// The echo peer as a process: newline-delimited JSON. With `deaf` it never reads its input.
// It says `said` on stderr once what it was asked to say has left.
import { createInterface } from 'node:readline';
import { createEchoPeer } from '../echo-peer.mjs';

const peer = createEchoPeer({
  say: (text) => process.stdout.write(`${text}\n`, () => process.stderr.write('said\n')),
  die: () => process.stdout.write('', () => process.exit(7)),
});

if (process.argv[2] === 'deaf') {
  process.stderr.write('deaf\n');
  setInterval(() => undefined, 2 ** 30);
} else {
  createInterface({ input: process.stdin }).on('line', (line) => peer(JSON.parse(line)));
}
