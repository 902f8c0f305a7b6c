// The servers of a config, supervised: two real ones, one whose variable is missing, one that is no program. One of them
// is killed, and comes back by itself.
//
//   npm run example:config
//
// In a program of your own, import from 'rx-mcp/config', and give `openConfig` the path of your `.mcp.json`.
import { fileURLToPath } from 'node:url';
import { filter, firstValueFrom, map } from 'rxjs';
import { openConfig } from '../src/config/index.js'; // 'rx-mcp/config'

const server = (name: string): object => ({
  command: process.execPath,
  args: [fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`))],
});

// At the end of this file no process of them is left.
await using servers = openConfig(
  {
    mcpServers: {
      everything: { ...server('everything'), allowedTools: ['echo', 'get-sum'] },
      thinking: server('sequential-thinking'),
      tickets: { url: 'https://tickets.example/mcp', headers: { Authorization: 'Bearer ${TICKETS_TOKEN}' } },
      weather: { command: 'weather-server-that-nobody-has' },
    },
  },
  { baseEnv: { PATH: process.env['PATH'] }, restartDelayMs: 50 },
);

/** The next state of a server that has this status. */
const becomes = (key: string, status: string): Promise<unknown> =>
  firstValueFrom(
    servers.status$.pipe(
      map((states) => states.get(key)),
      filter((state) => state?.status === status),
    ),
  );

for (const [key, { status, reason }] of await servers.ready()) {
  console.log(`${key.padEnd(10)} ${status.padEnd(9)} ${reason ?? servers.server(key)?.toolNames.join(' ') ?? ''}`);
}

const echo = (message: string): object => ({ id: message, name: 'mcp__everything__echo', arguments: { message } });
const say = async (message: string): Promise<void> => {
  const [result] = await servers.promises.executeToolCalls([echo(message)]);
  console.log(JSON.stringify(result));
};

await say('before');
const dying = becomes('everything', 'starting');
process.kill(servers.server('everything')?.pid ?? 0, 'SIGKILL');
await dying;
console.log('killed, and started again');
await say('after');
