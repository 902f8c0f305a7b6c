// The interview as a process. `modern` refuses the old handshake, `dual` takes both.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createInterview } from './interview.mjs';

serveStdio(() => createInterview(), { legacy: process.argv[2] === 'modern' ? 'reject' : 'serve' });
