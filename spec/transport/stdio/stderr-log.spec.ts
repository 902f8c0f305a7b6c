import { describe, expect, it } from '@jest/globals';
import { StderrLog } from '../../../src/transport/stdio/stderr-log.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const listen = (log: StderrLog): string[] => {
  const seen: string[] = [];
  log.lines$.subscribe({ next: (line) => seen.push(line), complete: () => seen.push('complete') });
  return seen;
};

describe('StderrLog', () => {
  it('gives each line to everybody who listens, blank ones too, and the last one at the end', () => {
    const log = new StderrLog();
    const one = listen(log);
    const two = listen(log);
    log.push(bytes('a\n\nb'));
    log.push(bytes('c\r\nd'));
    log.complete();
    expect(one).toEqual(['a', '', 'bc', 'd', 'complete']);
    expect(two).toEqual(one);
    expect(listen(log)).toEqual(['complete']);
  });

  it('repeats nothing for a later listener', () => {
    const log = new StderrLog();
    log.push(bytes('a\n'));
    const seen = listen(log);
    log.push(bytes('b\n'));
    expect(seen).toEqual(['b']);
  });

  it('cuts a line over 64 KiB', () => {
    const log = new StderrLog();
    const seen = listen(log);
    for (let count = 0; count < 100; count += 1) log.push(bytes('x'.repeat(1_000)));
    log.push(bytes('\nnext\n'));
    expect(seen).toEqual([`${'x'.repeat(65_536)}… (100000 bytes)`, 'next']);
  });

  it('cuts no line of 64 KiB', () => {
    const log = new StderrLog();
    const seen = listen(log);
    log.push(bytes(`${'x'.repeat(65_536)}\n`));
    expect(seen).toEqual(['x'.repeat(65_536)]);
  });

  describe('tail', () => {
    it('keeps its first line where it is just what is kept, and not where there was more', () => {
      const log = new StderrLog();
      log.push(bytes(`first\n${'x'.repeat(8_186)}`));
      expect(log.tail()).toBe(`first\n${'x'.repeat(8_186)}`);
      log.push(bytes('y'));
      expect(log.tail()).toBe(`${'x'.repeat(8_186)}y`);
    });

    it('keeps what looks like a cut character where it stands within', () => {
      const log = new StderrLog();
      log.push(bytes('a\uFFFDb\uFFFD\n'));
      expect(log.tail()).toBe('a\uFFFDb\uFFFD');
    });

    it('is empty where nothing was written', () => {
      expect(new StderrLog().tail()).toBe('');
    });

    it('is what was written where that is little', () => {
      const log = new StderrLog();
      log.push(bytes('Error: no\r\n  at a\n\n'));
      expect(log.tail()).toBe('Error: no\n  at a');
    });

    it('is the last twenty lines', () => {
      const log = new StderrLog();
      for (let line = 1; line <= 50; line += 1) log.push(bytes(`line ${line}\n`));
      expect(log.tail().split('\n')).toEqual(Array.from({ length: 20 }, (_, index) => `line ${index + 31}`));
    });

    it('is at most 8 KiB and begins with a whole line', () => {
      const log = new StderrLog();
      for (let line = 1; line <= 50; line += 1) log.push(bytes(`${'é'.repeat(500)} ${line}\n`));
      const tail = log.tail();
      expect(bytes(tail).length).toBeLessThanOrEqual(8_192);
      expect(tail.split('\n')).toEqual(Array.from({ length: 8 }, (_, index) => `${'é'.repeat(500)} ${index + 43}`));
    });

    it('is the end of a single line that is longer', () => {
      const log = new StderrLog();
      log.push(bytes(`a${'é'.repeat(10_000)}\n`));
      expect(log.tail()).toBe('é'.repeat(4_095));
      // Of the first character two bytes are left, each of which is read as one that is none.
      const long = new StderrLog();
      long.push(bytes('件'.repeat(4_000)));
      expect(long.tail()).toBe('件'.repeat(2_730));
    });
  });
});
