import { describe, expect, it } from '@jest/globals';
import { share, take, type Observable } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { TransportError } from '../../../src/errors/index.js';
import type { Inbound } from '../../../src/jsonrpc/index.js';
import { Mailbox } from '../../../src/transport/memory/mailbox.js';

const note = (name: string): Inbound => ({ jsonrpc: '2.0', method: `x-test/${name}` });
const notes: Record<string, Inbound> = { a: note('a'), b: note('b'), c: note('c') };

const run = (body: Parameters<TestScheduler['run']>[0]): void => {
  new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected);
  }).run(body);
};

/** A mailbox into which a source puts what it emits; the source's end is the mailbox's. */
const mailboxOf = (source$: Observable<Inbound>): Mailbox => {
  const mailbox = new Mailbox();
  source$.subscribe({
    next: (message) => {
      mailbox.put([message]);
    },
    error: (reason: unknown) => {
      mailbox.end({ reason });
    },
    complete: () => {
      mailbox.end();
    },
  });
  return mailbox;
};

describe('Mailbox', () => {
  it('keeps what comes before the reader, then hands each message on as it comes', () => {
    run(({ hot, expectObservable }) => {
      const mailbox = mailboxOf(hot('ab------c', notes));
      expectObservable(mailbox.messages$, '---^').toBe('---(ab)-c', notes);
    });
  });

  it('completes after everything that came before its end', () => {
    run(({ hot, expectObservable }) => {
      const mailbox = mailboxOf(hot('ab|', notes));
      expectObservable(mailbox.messages$, '---^').toBe('---(ab|)', notes);
    });
  });

  it('errors after everything that came before its end', () => {
    run(({ hot, expectObservable }) => {
      const mailbox = mailboxOf(hot('ab#', notes, new Error('gone')));
      expectObservable(mailbox.messages$, '---^').toBe('---(ab#)', notes, new Error('gone'));
    });
  });

  it('ends once: what is put in or told afterwards is dropped', () => {
    run(({ expectObservable }) => {
      const mailbox = new Mailbox();
      mailbox.put([note('a')]);
      mailbox.end();
      mailbox.put([note('b')]);
      mailbox.end({ reason: new Error('late') });
      expectObservable(mailbox.messages$).toBe('(a|)', notes);
    });
  });

  it('forgets what comes when its reader has left', () => {
    run(({ hot, expectObservable }) => {
      const mailbox = mailboxOf(hot('abc', notes));
      expectObservable(mailbox.messages$.pipe(take(2))).toBe('a(b|)', notes);
    });
  });

  it('takes one reader, now or ever, and tells a second one', () => {
    const mailbox = new Mailbox();
    const reader = mailbox.messages$.subscribe({ error: () => undefined });
    const refusals: unknown[] = [];
    mailbox.messages$.subscribe({ error: (reason: unknown) => refusals.push(reason) });
    reader.unsubscribe();
    mailbox.messages$.subscribe({ error: (reason: unknown) => refusals.push(reason) });
    expect(refusals).toEqual([expect.any(TransportError), expect.any(TransportError)]);
  });

  it('shows every listener one order, though one of them puts a message in while it reads', () => {
    const mailbox = new Mailbox();
    const shared$ = mailbox.messages$.pipe(share());
    const first: Inbound[] = [];
    const second: Inbound[] = [];
    shared$.subscribe({
      next: (message) => {
        first.push(message);
        if (first.length === 1) mailbox.put([note('b'), note('c')]);
      },
      error: () => undefined,
    });
    shared$.subscribe({ next: (message) => second.push(message), error: () => undefined });
    mailbox.put([note('a')]);
    expect(first).toEqual([notes['a'], notes['b'], notes['c']]);
    expect(second).toEqual(first);
  });

  it('hands on a message of the reader before it ends, when the reader ends it while it reads', () => {
    const mailbox = new Mailbox();
    const events: unknown[] = [];
    mailbox.put([note('a'), note('b')]);
    mailbox.messages$.subscribe({
      next: (message) => {
        events.push(message);
        mailbox.end();
      },
      error: () => undefined,
      complete: () => events.push('complete'),
    });
    expect(events).toEqual([notes['a'], notes['b'], 'complete']);
  });
});
