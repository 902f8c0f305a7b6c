import { describe, expect, it } from '@jest/globals';
import { openBar } from '../../src/cli/bar.js';
import { Screen } from '../../src/cli/screen.js';
import { fakeIo } from '../support/cli/fake-io.js';

/** A bar, and what is drawn of it after a report. */
const drawing = () => {
  const io = fakeIo({ terminal: true });
  const screen = new Screen(io, { colour: false });
  const bar = openBar(io, screen, 'bake');
  const drawn = async (): Promise<string> => {
    const before = io.err().length;
    // A line above it has it drawn at once.
    screen.err('a line');
    // What was written to a stream is read in the next turn.
    await new Promise(setImmediate);
    return io.err().slice(before);
  };
  return { bar, drawn };
};

describe('the bar at a terminal', () => {
  it('does not guess how long it will take before a second report', async () => {
    const { bar, drawn } = drawing();
    bar.show({ progress: 1, total: 10, message: 'kneading' });
    const first = await drawn();
    expect(first).toContain('10% 1/10 kneading');
    expect(first).not.toContain('ETA');
    bar.show({ progress: 2, total: 10 });
    expect(await drawn()).toMatch(/20% 2\/10 ETA \S+/);
    bar.stop();
  });

  it('begins anew after somebody was asked something', async () => {
    const { bar, drawn } = drawing();
    bar.show({ progress: 1, total: 10 });
    bar.show({ progress: 2, total: 10 });
    bar.pause();
    bar.resume();
    expect(await drawn()).not.toContain('ETA');
    bar.show({ progress: 3, total: 10 });
    expect(await drawn()).toContain('ETA');
    bar.stop();
  });

  it('counts where no end is known', async () => {
    const { bar, drawn } = drawing();
    bar.show({ progress: 3 });
    expect(await drawn()).toMatch(/bake 3 in 0?0s/);
    bar.stop();
  });
});
