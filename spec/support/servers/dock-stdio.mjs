// The dock as a process, in either era.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createDock, createGate } from './dock.mjs';

serveStdio(() => createDock(createGate()), { legacy: 'serve' });
