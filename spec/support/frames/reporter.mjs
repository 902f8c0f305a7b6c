// A jest reporter: at the end of a run it validates every frame the specs wrote (see recorder.ts), prints how
// many there were of each method in each era and revision, and makes the run fail when a frame is invalid
// or, in a run of the whole suite, when a method or an era is missing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';

const VARIABLE = 'RX_MCP_FRAMES';

export default class FramesReporter {
  #config;
  #folder;
  #error;

  constructor(config) {
    this.#config = config;
  }

  onRunStart() {
    this.#folder = mkdtempSync(join(tmpdir(), 'rx-mcp-frames-'));
    // The processes and environments of the run are made after this, and inherit it.
    process.env[VARIABLE] = this.#folder;
  }

  async onRunComplete(_contexts, results) {
    delete process.env[VARIABLE];
    try {
      const { readRecords, tally } = await tsImport('./tally.ts', import.meta.url);
      const records = readRecords(this.#folder);
      const { table, invalid, missing } = tally(records);
      if (records.length > 0) this.#print(`\nFrames written, by method and revision:\n${table}\n`);
      const faults = [
        ...invalid.map((fault) => `invalid frame: ${fault}`),
        ...(this.#isWhole(results) ? missing.map((name) => `never written: ${name}`) : []),
      ];
      if (faults.length === 0) return;
      this.#print(`\n${faults.join('\n')}\n`);
      this.#error = new Error(`${faults.length} faults in the frames the specs wrote`);
    } catch (error) {
      this.#print(`\nThe frames could not be checked: ${error instanceof Error ? error.stack : String(error)}\n`);
      this.#error = error instanceof Error ? error : new Error(String(error));
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  getLastError() {
    return this.#error;
  }

  /** False where only some specs were asked for, or ran. */
  #isWhole(results) {
    const {
      testPathPatterns,
      nonFlagArgs,
      testNamePattern,
      onlyChanged,
      onlyFailures,
      findRelatedTests,
      shard,
      filter,
    } = this.#config;
    const picked =
      (testPathPatterns?.patterns ?? []).length > 0 || (nonFlagArgs ?? []).length > 0 || Boolean(testNamePattern);
    return !(picked || onlyChanged || onlyFailures || findRelatedTests || shard || filter || results.wasInterrupted);
  }

  #print(text) {
    // Where jest's own reporters print, so that `--json` has stdout to itself.
    process.stderr.write(text);
  }
}
