import { appendFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { messageOf, OptionError } from '../../errors/index.js';
import { requireText } from '../../client/arguments.js';
import type { Connector, Transport } from '../../transport/index.js';
import { readRecording, type ReadRecording } from '../recording/lines.js';
import { record, type Recording, type RecordOptions } from '../recording/record.js';

/** What a server says may be for this user alone. */
const PRIVATE = 0o600;

/**
 * Writes the lines of a recording to a file, one a line, in place of what it had; only this user may read a file that is new. Resolves when
 * it is written; rejects with the error of the file system.
 */
export const saveRecording = async (file: string, lines: readonly string[]): Promise<void> => {
  requireText(file, 'file');
  readRecording(lines);
  await writeFile(file, lines.map((line) => `${line}\n`).join(''), { mode: PRIVATE });
};

/**
 * Reads the lines of a recording from a file, for `replay`. Rejects with the error of the file system, and with an `OptionError` that
 * names the first line that is none of a recording. A last line of which only half was written, as a program that dies leaves it, is left
 * out: a warning of the process says so.
 */
export const loadRecording = async (file: string): Promise<readonly string[]> => {
  requireText(file, 'file');
  const text = await readFile(file, 'utf8');
  let read: ReadRecording;
  try {
    read = readRecording(text);
  } catch (reason) {
    throw new OptionError('file', `${file} holds no recording: ${messageOf(reason)}`);
  }
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '');
  if (!read.isCutOff) return lines;
  process.emitWarning(`${file} ends in the middle of a line, which was left out`, 'RecordingWarning');
  return lines.slice(0, -1);
};

/** {@link recordTo}, in its two forms. */
export interface RecordTo {
  (file: string, wire: Transport, options?: RecordOptions): Transport & Recording;
  (file: string, wire: Connector, options?: RecordOptions): Connector & Recording;
}

/**
 * `record` into a file, which is emptied at once and has each line as soon as it is written, so that a program that dies leaves what it
 * heard. Writing is synchronous: for tests and for looking into a fault. Throws the error of the file system, and `OptionError`; a line
 * that cannot be written fails the wire.
 */
export const recordTo: RecordTo = ((file: string, wire: Transport, options: RecordOptions = {}) => {
  requireText(file, 'file');
  const { onLine } = options;
  // Before the first line, which is written as the wire is made.
  writeFileSync(file, '', { mode: PRIVATE });
  return record(wire, {
    ...options,
    onLine: (line) => {
      appendFileSync(file, `${line}\n`);
      onLine?.(line);
    },
  });
}) as RecordTo;
