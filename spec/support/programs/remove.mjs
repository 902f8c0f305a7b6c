// Jest's `globalTeardown`: removes the programs of a run.
import { rmSync } from 'node:fs';
import { FOLDER } from './folder.mjs';

export default () => {
  rmSync(process.env[FOLDER], { recursive: true, force: true });
};
