// A jest setup file (`setupFilesAfterEnv`): loads what is loaded on first use, so that time is the specs' own, as for
// somebody who has used the client before. What meets real servers in `spec/live` does so as a new program does.
import { beforeAll, expect } from '@jest/globals';
import type { Part } from '../../src/rx/part.js';

if (expect.getState().testPath?.includes('/spec/live/') !== true) {
  // Each is written down as its file is loaded: see `watched-sources.mjs`.
  const parts: Part<unknown>[] = [];
  Object.assign(globalThis, { __rxMcpParts__: parts });
  beforeAll(async () => {
    // One after another, since jest mixes up modules that are loaded beside each other; what they need in turn is behind them.
    for (const part of parts) await part.load();
  });
}
