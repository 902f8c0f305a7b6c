import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';

const made = new Set<string>();

/** A folder that is gone after its spec. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'rx-mcp-'));
  made.add(folder);
  return folder;
};

afterEach(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
  made.clear();
});
