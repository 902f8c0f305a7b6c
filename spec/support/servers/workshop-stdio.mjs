// The workshop as a process. `modern` refuses the old handshake, `dual` takes both, `legacy` knows no other.
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createWorkshop } from './workshop.mjs';

const form = process.argv[2];

process.stderr.write(`workshop: ${form}\n`);

if (form === 'legacy') await createWorkshop().connect(new StdioServerTransport());
else serveStdio(() => createWorkshop(), { legacy: form === 'modern' ? 'reject' : 'serve' });
