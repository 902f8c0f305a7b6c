// The demo of rx-mcp. It starts a server, says what it offers, has it do four things at once, and gives one of them up.
//
//   npm run demo                             whichever era the server speaks
//   npm run demo -- --legacy                 or --modern: pins the era
//   npm run demo -- -- <command> <args>      lists what any other server offers
//
// In a program of your own, import from 'rx-mcp' and 'rx-mcp/stdio'.
import { concat, fromEvent, map, merge, takeUntil } from 'rxjs';
import { connectStdio } from '../../src/bridge/stdio.js'; // 'rx-mcp/stdio'
import { readArguments } from './arguments.js';
import type { Wanted } from './arguments.js';
import { work } from './calls.js';
import { listing } from './listing.js';
import { openScreen } from './screen.js';
import { summarise } from './summary.js';
import { reasonOf } from './text.js';

/** Ctrl-C, or a polite request to end, as the exit code it stands for. */
const interrupted$ = merge(
  fromEvent(process, 'SIGINT').pipe(map(() => 130)),
  fromEvent(process, 'SIGTERM').pipe(map(() => 143)),
);

const run = async ({ era, command, args, cwd, guest }: Wanted): Promise<void> => {
  const screen = openScreen(process.stdout);
  // Nothing is started yet: the first call does that. At the end of this block the server's process is gone.
  await using mcp = connectStdio({ command, args, cwd, era, logLevel: 'info' });
  const happenings$ = guest ? listing(mcp) : concat(listing(mcp), work(mcp)).pipe(summarise);
  try {
    await happenings$.pipe(takeUntil(interrupted$)).forEach(screen.show);
  } finally {
    screen.close();
  }
};

// Listens to the last: a signal that nobody handles any more would end this process before it has cleaned up.
interrupted$.subscribe((exitCode) => {
  process.exitCode = exitCode;
});

// Whoever reads may leave early (`npm run demo | head -2`). The server ends with this process.
process.stdout.on('error', () => process.exit());

try {
  await run(readArguments(process.argv.slice(2)));
} catch (reason) {
  console.error(`demo: ${reasonOf(reason)}`);
  process.exitCode = 1;
}
