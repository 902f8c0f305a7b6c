/** What the help says below the options, by command; `''` is the command as a whole. */
const EXAMPLES: Readonly<Record<string, readonly (readonly [line: string, what: string])[]>> = {
  '': [
    ['rx-mcp doctor', 'see which of your servers work'],
    ['rx-mcp list', 'the servers of your config'],
    ['rx-mcp list files', 'what the server "files" offers'],
    ['rx-mcp call files read_file path=notes.txt', 'call a tool of it'],
    ['rx-mcp list --url https://example.com/mcp', 'a server behind a URL'],
    ['rx-mcp call --stdio "npx -y some-server" echo text=hi', 'a server that is started'],
  ],
  doctor: [
    ['rx-mcp doctor', 'the .mcp.json of the project, or else of the user'],
    ['rx-mcp doctor files tickets', 'these two of them'],
    ['rx-mcp doctor --config servers.json --timeout 5', 'another config; 5 seconds for each server'],
    ['rx-mcp doctor --json', 'for programs'],
  ],
  list: [
    ['rx-mcp list', 'the servers of the config; none is started'],
    ['rx-mcp list files', 'tools, prompts and resources of one server'],
    ['rx-mcp list --stdio "node server.js" --json', 'with schemas, for programs'],
  ],
  call: [
    ['rx-mcp call files read_file path=notes.txt', 'texts are texts'],
    ['rx-mcp call math add a=1 b=2', 'numbers are numbers, where the tool says so'],
    [`rx-mcp call shop order 'items:=[{"id": 7}]'`, 'any JSON value'],
    [`rx-mcp call shop order --args '{"id": 7}' count=2`, 'a whole object, and more'],
    ['rx-mcp call math mcp__math__add a=1 b=2', 'a tool by the name that hosts show'],
  ],
  read: [
    ['rx-mcp read files file:///notes.txt', 'a resource by its URI'],
    ['rx-mcp read --url https://example.com/mcp docs://intro --json', 'with bytes in base64, for programs'],
  ],
  prompt: [
    ['rx-mcp prompt shop order piece=table wood=oak', 'the messages of a prompt, filled in'],
    ['rx-mcp prompt shop order piece=table wood=oak --json', 'for programs'],
  ],
  watch: [
    ['rx-mcp watch shop', 'until Ctrl-C'],
    ['rx-mcp watch shop --log-level debug --json', 'one JSON object a line, with all logs'],
  ],
  inspect: [
    ['rx-mcp inspect shop', 'the frames of handshake and lists, and all later ones'],
    ['rx-mcp inspect shop --once --call order id=7', 'those of one call as well, and then it ends'],
  ],
  login: [
    ['rx-mcp login tickets', 'a server of the config'],
    ['rx-mcp login --url https://example.com/mcp', 'a server that is in no config'],
    ['rx-mcp login tickets --json', 'for programs: each state of it, and the URL to open'],
  ],
  logout: [
    ['rx-mcp logout tickets', 'a server of the config'],
    ['rx-mcp logout --url https://example.com/mcp', 'a server that is in no config'],
  ],
};

const EXIT_CODES = `
Exit codes:
  0    all is well
  1    the tool or the server failed; doctor found something
  2    the command line cannot be used; nothing was called
  3    the config cannot be used, or has no such server
  4    the server could not be started or reached, or nobody has logged in to it
  130  ended by Ctrl-C (143 by SIGTERM); a call was cancelled at the server`;

const SERVERS = `
A server is a name from the config: --config, else the .mcp.json of this folder
or one above it, else what Claude Code, Claude Desktop, Cursor, VS Code or
Windsurf keep for their user. With --stdio or --url its name is left out.`;

const TOKENS = `
Tokens are kept in the folder RX_MCP_TOKENS, else in that of the user's data:
$XDG_DATA_HOME/rx-mcp or ~/.local/share/rx-mcp, on macOS ~/Library/Application
Support/rx-mcp, on Windows %LOCALAPPDATA%\\rx-mcp.`;

/** What the help of a command says before the exit codes. */
const BEFORE: Readonly<Record<string, readonly string[]>> = { '': [SERVERS], login: [TOKENS], logout: [TOKENS] };

/** The text below the options of a command. */
export const helpBelow = (command: string): string => {
  const examples = EXAMPLES[command] ?? [];
  const lines = examples.flatMap(([line, what]) =>
    // Both in one line where there is room.
    line.length <= 42 ? [`  $ ${line.padEnd(43)} ${what}`] : [`  $ ${line}`, `${' '.repeat(6)}${what}`],
  );
  const fits = lines.every((line) => line.length <= 100);
  const shown = fits ? lines : examples.flatMap(([line, what]) => [`  $ ${line}`, `      ${what}`]);
  return ['', 'Examples:', ...shown, ...(BEFORE[command] ?? []), EXIT_CODES].join('\n');
};
