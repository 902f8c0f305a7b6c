import { describe, expect, it } from '@jest/globals';
import { take } from 'rxjs';
import { TransportError } from '../../src/errors/index.js';
import { Inbox } from '../../src/transport/inbox.js';

/** Everything a subscriber gets, as texts. */
const record = (inbox: Inbox<string>, seen: string[] = []): string[] => {
  inbox.stream$.subscribe({
    next: (value) => seen.push(value),
    error: (reason: unknown) => seen.push(`error ${String(reason)}`),
    complete: () => seen.push('complete'),
  });
  return seen;
};

describe('Inbox', () => {
  it('holds values until its subscriber is there, and passes later ones straight on', () => {
    const inbox = new Inbox<string>();
    inbox.next('a');
    inbox.next('b');
    const seen = record(inbox);
    expect(seen).toEqual(['a', 'b']);
    inbox.next('c');
    expect(seen).toEqual(['a', 'b', 'c']);
    inbox.complete();
    expect(seen).toEqual(['a', 'b', 'c', 'complete']);
  });

  it('holds the end as well, behind the values', () => {
    const completed = new Inbox<string>();
    completed.next('a');
    completed.complete();
    expect(record(completed)).toEqual(['a', 'complete']);
    const failed = new Inbox<string>();
    failed.next('a');
    failed.error('gone');
    expect(record(failed)).toEqual(['a', 'error gone']);
  });

  it('ends once, and takes nothing in afterwards', () => {
    const inbox = new Inbox<string>();
    const seen = record(inbox);
    inbox.error('gone');
    inbox.complete();
    inbox.error('again');
    inbox.next('a');
    expect(seen).toEqual(['error gone']);
    expect(record(inbox)).toEqual(['error gone']);
  });

  it('keeps the order when a value arrives while held ones are handed over', () => {
    const inbox = new Inbox<string>();
    inbox.next('a');
    inbox.next('b');
    const seen: string[] = [];
    inbox.stream$.subscribe({
      next: (value) => {
        seen.push(value);
        if (value === 'a') inbox.next('c');
        if (value === 'b') inbox.complete();
      },
      complete: () => seen.push('complete'),
    });
    expect(seen).toEqual(['a', 'b', 'c', 'complete']);
  });

  it('hands nothing over to a subscriber that has left inside a value', () => {
    const inbox = new Inbox<string>();
    inbox.next('a');
    inbox.next('b');
    const seen: string[] = [];
    inbox.stream$.pipe(take(1)).subscribe((value) => seen.push(value));
    inbox.next('c');
    expect(seen).toEqual(['a']);
  });

  it('refuses a second subscriber beside the first, which it does not disturb', () => {
    const inbox = new Inbox<string>();
    const seen = record(inbox);
    let refusal: unknown;
    inbox.stream$.subscribe({ error: (reason: unknown) => (refusal = reason) });
    expect(refusal).toBeInstanceOf(TransportError);
    inbox.next('a');
    expect(seen).toEqual(['a']);
  });

  it('holds nothing once its subscriber has left; the next one gets what comes from then on', () => {
    const inbox = new Inbox<string>();
    inbox.stream$.subscribe().unsubscribe();
    inbox.next('lost');
    const seen = record(inbox);
    inbox.next('a');
    expect(seen).toEqual(['a']);
  });
});
