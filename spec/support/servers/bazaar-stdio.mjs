// The bazaar as a process, which takes either era.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createBazaar } from './bazaar.mjs';

serveStdio(() => createBazaar());
