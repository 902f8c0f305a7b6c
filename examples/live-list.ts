// A list of tools that follows its server: one function for both protocol eras.
//
//   npm run example:live-list                   whichever era the server speaks
//   npm run example:live-list -- --legacy       or --modern: pins the era
//
// In a program of your own, import from 'rx-mcp' and 'rx-mcp/stdio'.
import { fileURLToPath } from 'node:url';
import { concatMap, map, type Observable, pairwise, startWith, takeWhile, tap } from 'rxjs';
import { connectStdio } from '../src/bridge/stdio.js'; // 'rx-mcp/stdio'
import type { McpClient } from '../src/index.js'; // 'rx-mcp'

interface ToolList {
  readonly names: readonly string[];
  readonly came: readonly string[];
  readonly went: readonly string[];
}

/** The application: the tools there are, now and after each change, and what has changed. It never asks about eras. */
const toolList = (mcp: McpClient): Observable<ToolList> =>
  mcp.tools$.pipe(
    map((tools) => tools.map(({ name }) => name)),
    startWith<string[]>([]),
    pairwise(),
    map(([before, names]) => ({
      names,
      came: names.filter((name) => !before.includes(name)),
      went: before.filter((name) => !names.includes(name)),
    })),
  );

const show = ({ names, came, went }: ToolList): void => {
  const changes = [...came.map((name) => `+${name}`), ...went.map((name) => `-${name}`)];
  console.log(`${names.join(', ')}  (${changes.join(' ')})`);
};

const flags = process.argv.slice(2);
const era = flags.includes('--legacy') ? 'legacy' : flags.includes('--modern') ? 'modern' : 'auto';

// At the end of this file the server's process is gone.
await using mcp = connectStdio({
  command: process.execPath,
  args: ['--import', 'tsx', fileURLToPath(new URL('live-list-server.ts', import.meta.url))],
  cwd: fileURLToPath(new URL('..', import.meta.url)), // where `tsx` is installed
  era,
});

console.log(`era: ${await mcp.promises.era()}`);
await toolList(mcp)
  .pipe(
    tap(show),
    // This has the stage change once more after each list, until it has no further scene.
    takeWhile(({ names }) => names.includes('next_scene')),
    concatMap(() => mcp.callTool('next_scene')),
  )
  .forEach(() => undefined);
