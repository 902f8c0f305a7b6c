import { describe, expect, it } from '@jest/globals';
import { below, Report } from '../../../src/bridge/schemas/report.js';

describe('a path', () => {
  it('is one step longer, with what it is written in escaped', () => {
    expect(['a', 0, '', 'a/b', 'a~b', '~1/~0', '//~~'].map((step) => below('/s', step))).toEqual([
      ...['/s/a', '/s/0', '/s/', '/s/a~1b', '/s/a~0b', '/s/~01~1~00', '/s/~1~1~0~0'],
    ]);
  });
});

describe('a report', () => {
  it('has what was noted of its tool, in order, less what was taken back', () => {
    const report = new Report('t');
    expect(report.changes).toEqual([]);
    report.note('/a', 'dropped', 'one');
    report.note('/b', 'changed', 'two');
    report.note('/c', 'replaced', 'three');
    report.backTo(2);
    report.note('/d', 'dropped', 'four');
    expect(report.changes).toEqual([
      { tool: 't', path: '/a', action: 'dropped', reason: 'one' },
      { tool: 't', path: '/b', action: 'changed', reason: 'two' },
      { tool: 't', path: '/d', action: 'dropped', reason: 'four' },
    ]);
    report.backTo(0);
    expect(report.changes).toEqual([]);
  });
});
