import { PassThrough } from 'node:stream';
import { describe, expect, it, jest } from '@jest/globals';
import { Breather } from '../../../src/transport/stdio/breather.js';
import { marbles } from '../../support/marbles.js';
import { timer } from 'rxjs';

const flowing = (): PassThrough => new PassThrough().resume();

describe('Breather', () => {
  it.each([
    ['messages', false, 5_000],
    ['lines that are none', true, 100],
  ])('pauses a stream for a turn after many %s', (_, isJunk, many) => {
    marbles(() => {
      const stream = flowing();
      const breather = new Breather(stream);
      for (let count = 1; count < many; count += 1) breather.count(isJunk);
      expect(stream.isPaused()).toBe(false);
      breather.count(isJunk);
      expect(stream.isPaused()).toBe(true);
      timer(1).subscribe(() => expect(stream.isPaused()).toBe(false));
    });
  });

  it('counts from nothing again after each pause', () => {
    marbles(() => {
      const stream = flowing();
      const breather = new Breather(stream);
      for (let count = 0; count < 150; count += 1) breather.count(true);
      timer(1).subscribe(() => {
        for (let count = 0; count < 99; count += 1) breather.count(true);
        expect(stream.isPaused()).toBe(false);
        breather.count(true);
        expect(stream.isPaused()).toBe(true);
      });
    });
  });

  it('pauses once, however many come before the turn is over', () => {
    marbles(() => {
      const stream = flowing();
      const pauses = jest.spyOn(stream, 'pause');
      const breather = new Breather(stream);
      for (let count = 0; count < 300; count += 1) breather.count(true);
      expect(pauses).toHaveBeenCalledTimes(1);
    });
  });
});
