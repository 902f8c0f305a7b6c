import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
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
    expect(host.listenerCount('SIGINT')).toBe(1);
    removals[1]?.();
    expect(host.eventNames()).toEqual([]);
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
    expect(host.eventNames()).toEqual([]);
  });
});
