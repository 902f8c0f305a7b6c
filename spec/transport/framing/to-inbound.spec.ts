import { describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, take, toArray } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { MessageTooLargeError } from '../../../src/errors/index.js';
import { splitLines, toInbound } from '../../../src/transport/framing/index.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const marbles = (run: Parameters<TestScheduler['run']>[0]): void => {
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(run);
};

describe('toInbound', () => {
  const result = { jsonrpc: '2.0', id: 1, result: {} };
  const note = { jsonrpc: '2.0', method: 'notifications/message' };

  it('emits the message of each line in the same frame, and ends with its source', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('a-b-|', { a: JSON.stringify(result), b: JSON.stringify(note) });
      expectObservable(source.pipe(toInbound())).toBe('x-y-|', { x: result, y: note });
      expectSubscriptions(source.subscriptions).toBe('^---!');
    });
  });

  it('emits the messages of a batch one after the other, and no more of them once the subscriber has left', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('a----|', { a: JSON.stringify([result, note, result]) });
      expectObservable(source.pipe(toInbound())).toBe('(xyx)|', { x: result, y: note });
      expectObservable(source.pipe(toInbound(), take(2))).toBe('(xy|)', { x: result, y: note });
      expectSubscriptions(source.subscriptions).toBe(['^----!', '(^!)']);
    });
  });

  it('passes an error on', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold<string>('--#', undefined, 'broken');
      expectObservable(source.pipe(toInbound())).toBe('--#', undefined, 'broken');
      expectSubscriptions(source.subscriptions).toBe('^-!');
    });
  });

  it('makes an invalid message of a line that is none, and goes on', async () => {
    const messages = await lastValueFrom(
      from(['Listening on stdio', JSON.stringify(note)]).pipe(toInbound(), toArray()),
    );
    expect(messages).toEqual([{ invalid: 'not JSON', excerpt: 'Listening on stdio' }, note]);
  });

  it('makes one invalid message of an oversized line, with the id of its response and the error for its call', async () => {
    const line = `{"jsonrpc":"2.0","id":7,"result":{"text":"${'é'.repeat(500)}"}}`;
    const size = bytes(line).length;
    const messages = await lastValueFrom(
      from([bytes(`${line}\n`), bytes(`${JSON.stringify(note)}\n`)]).pipe(
        splitLines({ maxBytes: 100 }),
        toInbound(),
        toArray(),
      ),
    );
    expect(messages).toEqual([
      {
        invalid: `a message of ${size} bytes is larger than maxMessageBytes (100)`,
        excerpt: line.slice(0, 200),
        id: 7,
        error: new MessageTooLargeError(size, 100),
      },
      note,
    ]);
    expect(messages[0]).toHaveProperty('error.bytes', size);
    expect(messages[0]).toHaveProperty('error.limit', 100);
  });

  it('leaves the id of an oversized request out: a call of the same id is not its business', async () => {
    const line = `{"id":7,"method":"sampling/createMessage","params":{"text":"${'x'.repeat(500)}"}}\n`;
    const message = await lastValueFrom(from([bytes(line)]).pipe(splitLines({ maxBytes: 100 }), toInbound(), take(1)));
    expect(message).toHaveProperty('error');
    expect(message).not.toHaveProperty('id');
  });
});
