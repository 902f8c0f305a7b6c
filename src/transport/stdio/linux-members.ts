import { readdirSync, readFileSync } from 'node:fs';

const statOf = (pid: string): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
};

/** True where the process lives and belongs to the group. One that has ended but was not collected yet does not live. */
const isLiving = (pid: string, group: number): boolean => {
  const stat = statOf(pid);
  if (stat === undefined) return false;
  // The name stands in parentheses and may contain any of them: the fields begin after the last one.
  const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(processGroup) === group && state !== 'Z' && state !== 'X';
};

/**
 * A question that can be asked again and again: does a process of this group live? On Linux a signal also "reaches"
 * those that ended and that nobody has collected, as long as that takes (for ever, where the first process of a
 * container collects none), so that the answer is read from /proc. All processes are looked through only when none of
 * those found before lives any more.
 */
export const livingMembers = (group: number): (() => boolean) => {
  let known: readonly string[] = [];
  return () => {
    known = known.filter((pid) => isLiving(pid, group));
    if (known.length === 0) known = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isLiving(pid, group));
    return known.length > 0;
  };
};
