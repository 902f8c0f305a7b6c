import { fileURLToPath } from 'node:url';

/** How a client starts the raw stdio server. */
export const stdioCommand = ({ era, tools = 0 }) => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('stdio.mjs', import.meta.url)), era, String(tools)],
});
