// A jest setup file (`setupFilesAfterEnv`): records every frame that the specs write through a transport of
// `src/`. At the end of the run `reporter.mjs` validates each against the published schema of its revision.
//
// Frames written by hand, straight into a transport rather than through a client or session, do not count when they
// are marked: a frame whose method begins with `x-test/` is left out; so is all of a wire whose first frame is so
// marked (for answers and cancel notices written by hand), and all of a transport that was handed to `unrecorded`
// of `unrecorded.ts` (for a spec that needs the protocol's own methods).
import { relative } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { openRecord } from './record.js';

const folder = process.env['RX_MCP_FRAMES'];

// Absent: the reporter is not there to read what would be written.
if (folder !== undefined) {
  const { watch, flush } = openRecord(folder, relative(process.cwd(), expect.getState().testPath ?? '?'));

  // Each class of transports is told of as its file is loaded: see `watched-sources.mjs`.
  Object.assign(globalThis, { __rxMcpTransports__: watch });
  afterAll(flush);
}
