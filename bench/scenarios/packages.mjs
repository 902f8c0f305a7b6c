// How many packages come with a client, peers that it cannot do without included, and their size on the disk.
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

const names = {
  'rx-mcp': 'itself',
  'official-2': '@modelcontextprotocol/client',
  'official-1': '@modelcontextprotocol/sdk',
  'ai-sdk': '@ai-sdk/mcp',
};

const run = async (client) => {
  const { installedFor, manifestOf, sizeOf } = await import('../support/installed.mjs');
  const { realpathSync } = await import('node:fs');
  const own = client === 'rx-mcp';
  const { dependencies, peerDependencies } = manifestOf(root);
  const wanted = own ? Object.keys({ ...dependencies, ...peerDependencies }) : [names[client]];
  const folders = installedFor(wanted, root).map((folder) => realpathSync(folder));
  // Of this one the built files are what is installed.
  const bytes = folders.reduce((sum, folder) => sum + sizeOf(folder), own ? sizeOf(`${root}/dist`) : 0);
  return { value: folders.length + (own ? 1 : 0), note: `${(bytes / 1_048_576).toFixed(1)} MB` };
};

export const packages = [
  {
    name: 'packages',
    title: 'packages installed',
    unit: 'packages',
    yardstick: 'official-2',
    clients: Object.keys(names),
    once: true,
    timeless: true,
    run: (client) => run(client),
  },
];
