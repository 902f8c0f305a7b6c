import { appendFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { messageOf, OptionError } from '../../errors/index.js';
import { requireText } from '../../client/arguments.js';
import type { Connector, Transport } from '../../transport/index.js';
import { readRecording, type ReadRecording } from '../recording/lines.js';
import { record, type Recording, type RecordOptions } from '../recording/record.js';

/** What a server says may be for this user alone. */
const PRIVATE = 0o600;

const WHY: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder: give the file in it',
  ENOTDIR: 'what should be a folder on the way to it is a file: give another path',
  EACCES: 'this user may not: give another path, or change who may',
  EPERM: 'this user may not: give another path, or change who may',
  EROFS: 'nothing can be written there: give another path',
  ENOSPC: 'there is no space left: make some, or give another path',
};
const WHY_MISSING = {
  read: 'there is no such file: record one by recordTo or saveRecording, or give the path from the working directory',
  written: 'its folder is not there: make it first',
} as const;

/** What the file system raised, as an error that names the file and what helps; its `cause` is what was raised. */
const refusal = (file: string, what: keyof typeof WHY_MISSING, reason: unknown): OptionError => {
  const code = String((reason as { code?: unknown } | null | undefined)?.code);
  const why = code === 'ENOENT' ? WHY_MISSING[what] : Object.hasOwn(WHY, code) ? WHY[code] : undefined;
  const error = new OptionError('file', `${file} cannot be ${what}: ${why ?? messageOf(reason)}`);
  error.cause = reason;
  return error;
};

const written = <T>(file: string, work: () => T): T => {
  try {
    return work();
  } catch (reason) {
    throw refusal(file, 'written', reason);
  }
};

/**
 * Writes the lines of a recording to a file, one a line, in place of what it had; only this user may read a file that is new. Resolves when
 * it is written; rejects with an `OptionError` that names the file, and whose `cause` is the error of the file system.
 */
export const saveRecording = async (file: string, lines: readonly string[]): Promise<void> => {
  requireText(file, 'file');
  readRecording(lines);
  await writeFile(file, lines.map((line) => `${line}\n`).join(''), { mode: PRIVATE }).catch((reason: unknown) => {
    throw refusal(file, 'written', reason);
  });
};

/**
 * Reads the lines of a recording from a file, for `replay`. Rejects with an `OptionError` that names the file and what helps,
 * where it cannot be read (its `cause` is the error of the file system), or the first line that is none of a recording. A last line of which only half was written, as a program that dies leaves it, is left
 * out: a warning of the process says so.
 */
export const loadRecording = async (file: string): Promise<readonly string[]> => {
  requireText(file, 'file');
  const text = await readFile(file, 'utf8').catch((reason: unknown) => {
    throw refusal(file, 'read', reason);
  });
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
 * heard. Writing is synchronous: for tests and for looking into a fault. Throws an `OptionError`, which names the file and what
 * helps where it cannot be written; a line that cannot be fails the wire by the same.
 */
export const recordTo: RecordTo = ((file: string, wire: Transport, options: RecordOptions = {}) => {
  requireText(file, 'file');
  const { onLine } = options;
  // Before the first line, which is written as the wire is made.
  written(file, () => {
    writeFileSync(file, '', { mode: PRIVATE });
  });
  return record(wire, {
    ...options,
    onLine: (line) => {
      written(file, () => {
        appendFileSync(file, `${line}\n`);
      });
      onLine?.(line);
    },
  });
}) as RecordTo;
