import { expect } from '@jest/globals';
import { TestScheduler } from 'rxjs/testing';

/** Runs a marble test in virtual time. */
export const marbles = (body: Parameters<TestScheduler['run']>[0]): void => {
  new TestScheduler((actual, expected) => {
    expect(actual).toStrictEqual(expected);
  }).run(body);
};
