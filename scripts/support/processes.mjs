// What the machine knows about processes and descriptors. Linux reads /proc; elsewhere the answer is
// `undefined`, which callers print as "not checked".
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const read = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // ended meanwhile, or somebody else's
  }
};

/** Pid, parent, group, session, state and start (in clock ticks since boot) of one process. */
const stat = (pid) => {
  const text = read(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name stands in brackets and may hold brackets and spaces itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    pid,
    state: fields[0],
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    started: Number(fields[19]),
  };
};

/** Every process of the machine, or `undefined` where there is no /proc. */
export const processes = () => {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => stat(Number(name)))
      .filter((entry) => entry !== undefined);
  } catch {
    return undefined;
  }
};

/** Direct children of this process, those waiting to be reaped included. */
export const ownChildren = () => processes()?.filter((entry) => entry.parent === process.pid);

/** Names of this process's open descriptors and what they lead to. */
export const ownDescriptors = () => {
  try {
    return readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [`${fd} -> ${readlinkSync(`/proc/self/fd/${fd}`)}`];
      } catch {
        return []; // the one that read the folder
      }
    });
  } catch {
    return undefined;
  }
};

/** One key for one life of a pid, so that a pid used again is not taken for the process before. */
export const keyOf = (entry) => `${entry.pid}:${entry.started}`;

/**
 * Processes that carry `marker` (`NAME=value`) in their environment, or name `folder` in their command line, and
 * are not among `known` (keys as of `keyOf`). Ended ones that merely wait to be reaped do not count.
 */
export const marked = ({ marker, folder, known = [] }) =>
  processes()
    ?.filter((entry) => entry.pid !== process.pid && entry.state !== 'Z' && !known.includes(keyOf(entry)))
    .map((entry) => ({ ...entry, command: (read(`/proc/${entry.pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim() }))
    .filter(
      (entry) =>
        (read(`/proc/${entry.pid}/environ`) ?? '').split('\0').includes(marker) ||
        (folder !== undefined && entry.command.includes(`${folder}/`)),
    );
