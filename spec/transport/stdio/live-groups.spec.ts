import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LiveGroups } from '../../../src/transport/stdio/live-groups.js';

class FakeHost extends EventEmitter {
  readonly pid = 1;
  readonly platform = 'linux';
  readonly kill = (): true => true;
}

const setUp = () => {
  const host = new FakeHost();
  const killed: string[] = [];
  const group = (name: string) => ({ killNow: () => void killed.push(name) });
  return { host, killed, group, groups: new LiveGroups(host) };
};

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('LiveGroups', () => {
  it.each(['SIGTERM', 'exit'])('kills those that live at %s', (event) => {
    const { host, killed, group, groups } = setUp();
    groups.add(group('a'));
    const remove = groups.add(group('b'));
    groups.add(group('c'));
    remove();
    host.emit(event);
    expect(killed).toEqual(['a', 'c']);
  });

  it('is hooked while one lives, once for all of them', () => {
    const { host, group, groups } = setUp();
    expect(host.eventNames()).toEqual([]);
    const removals = [groups.add(group('a')), groups.add(group('b'))];
    expect(host.listenerCount('SIGINT')).toBe(1);
    removals[0]?.();
    // A second time it takes nothing away from the other one.
    removals[0]?.();
    jest.advanceTimersByTime(60_000);
    expect(host.listenerCount('SIGINT')).toBe(1);
    removals[1]?.();
    jest.advanceTimersByTime(1_001);
    expect(host.eventNames()).toEqual([]);
  });

  it('stays hooked for a second when the last one has gone', () => {
    const { host, group, groups } = setUp();
    groups.add(group('a'))();
    jest.advanceTimersByTime(999);
    const names = host.eventNames();
    expect(names).toContain('SIGTERM');
    // Others come and go meanwhile: the second is that of the last of them.
    const remove = groups.add(group('b'));
    jest.advanceTimersByTime(60_000);
    expect(host.eventNames()).toEqual(names);
    remove();
    jest.advanceTimersByTime(999);
    expect(host.eventNames()).toEqual(names);
    jest.advanceTimersByTime(2);
    expect(host.eventNames()).toEqual([]);
  });

  it('holds no process open while it stays', () => {
    jest.useRealTimers();
    const { host, group, groups } = setUp();
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    groups.add(group('a'))();
    expect(timers()).toBe(before);
    expect(host.eventNames()).toContain('exit');
  });

  it('is hooked again by the next one when the process has survived its signal', () => {
    const { host, killed, group, groups } = setUp();
    const remove = groups.add(group('a'));
    host.emit('SIGINT');
    expect(host.eventNames()).toEqual([]);
    const removeNext = groups.add(group('b'));
    remove();
    expect(host.listenerCount('SIGINT')).toBe(1);
    host.emit('SIGTERM');
    expect(killed).toEqual(['a', 'b']);
    removeNext();
    jest.advanceTimersByTime(1_001);
    expect(host.eventNames()).toEqual([]);
  });
});
