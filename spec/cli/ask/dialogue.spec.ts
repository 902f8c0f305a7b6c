import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { firstValueFrom } from 'rxjs';
import { type Ask, Dialogues } from '../../../src/cli/ask/dialogue.js';
import { type Live, unseen } from '../../../src/cli/progress.js';
import { fakeContext, fakeIo } from '../../support/cli/fake-io.js';

const setUp = () => {
  const io = fakeIo({ terminal: true });
  const context = fakeContext(io);
  const happened: string[] = [];
  const live: Live = {
    ...unseen,
    pause: () => void happened.push('pause'),
    resume: () => void happened.push('resume'),
  };
  return { io, context, happened, dialogues: new Dialogues(context, () => live) };
};

const once =
  (prompt: string) =>
  async (ask: Ask): Promise<string | undefined> =>
    ask.line(prompt);

/** Input is read in turns of their own. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
};

describe('a dialogue', () => {
  it('asks when it is subscribed to, and answers with what was typed', async () => {
    const { io, dialogues, happened } = setUp();
    const dialogue$ = dialogues.hold(once('name? '));
    await settle();
    expect(io.err()).toBe('');
    const answer = firstValueFrom(dialogue$);
    io.stdin.write('Ada\r');
    expect(await answer).toBe('Ada');
    expect(io.err()).toContain('name? ');
    expect(happened).toEqual(['pause', 'resume']);
  });

  it('takes what was typed ahead for the next question', async () => {
    const { io, dialogues } = setUp();
    const both = firstValueFrom(dialogues.hold(async (ask) => [await ask.line('a? '), await ask.line('b? ')]));
    io.stdin.write('1\r2\r');
    expect(await both).toEqual(['1', '2']);
  });

  it('takes nothing that was typed before it was asked for a consent', async () => {
    const { io, dialogues } = setUp();
    io.stdin.write('y\r');
    const answer = firstValueFrom(
      dialogues.hold(async (ask) => {
        const first = await ask.confirm('open? ');
        io.stdin.write('y\ry\rye');
        const then = ask.confirm('send? ');
        return [first, await then];
      }),
    );
    while (!io.err().includes('open? ')) await setImmediate();
    io.stdin.write('n\r');
    while (!io.err().includes('send? ')) await setImmediate();
    io.stdin.write('no\r');
    expect(await answer).toEqual(['n', 'no']);
  });

  it('has no consent after Ctrl-D', async () => {
    const { io, dialogues } = setUp();
    const answer = firstValueFrom(dialogues.hold((ask) => ask.confirm('open? ')));
    io.stdin.write('y\r\u0004');
    expect(await answer).toBeUndefined();
  });

  it('waits for another that is open', async () => {
    const { io, dialogues } = setUp();
    const first = firstValueFrom(dialogues.hold(once('first? ')));
    const second = firstValueFrom(dialogues.hold(once('second? ')));
    await settle();
    expect(io.err()).not.toContain('second? ');
    io.stdin.write('1\r');
    expect(await first).toBe('1');
    await settle();
    expect(io.err()).toContain('second? ');
    io.stdin.write('2\r');
    expect(await second).toBe('2');
  });

  it('never begins where it was left while it waited', async () => {
    const { io, dialogues } = setUp();
    const first = firstValueFrom(dialogues.hold(once('first? ')));
    dialogues
      .hold(once('second? '))
      .subscribe({ error: () => undefined })
      .unsubscribe();
    const third = firstValueFrom(dialogues.hold(once('third? ')));
    io.stdin.write('1\r');
    await first;
    await settle();
    io.stdin.write('3\r');
    expect(await third).toBe('3');
    expect(io.err()).not.toContain('second? ');
  });

  it('is over when it is left: the question has no answer, and the terminal is free', async () => {
    const { io, dialogues, happened } = setUp();
    const answers: unknown[] = [];
    const subscription = dialogues
      .hold(async (ask) => void answers.push(await ask.line('name? ')))
      .subscribe({ error: (reason: unknown) => answers.push(reason) });
    await settle();
    subscription.unsubscribe();
    await settle();
    expect(answers).toEqual([undefined]);
    expect(happened).toEqual(['pause', 'resume']);
    expect(io.err()).toMatch(/\n$/);
  });

  it('has no further lines after Ctrl-D', async () => {
    const { io, dialogues } = setUp();
    const both = firstValueFrom(dialogues.hold(async (ask) => [await ask.line('a? '), await ask.line('b? ')]));
    io.stdin.write('\u0004');
    expect(await both).toEqual([undefined, undefined]);
  });

  it('hands Ctrl-C on', async () => {
    const { io, dialogues, context } = setUp();
    const subscription = dialogues.hold(once('name? ')).subscribe({ error: () => undefined });
    io.stdin.write('\u0003');
    await settle();
    expect(context.interrupted()).toBe(true);
    subscription.unsubscribe();
  });

  it('has what is said meanwhile above its question, which is written again', async () => {
    const { io, context, dialogues } = setUp();
    const answer = firstValueFrom(dialogues.hold(once('name? ')));
    io.stdin.write('Ad');
    await settle();
    context.screen.err('a log line');
    // eslint-disable-next-line no-control-regex
    expect(io.err()).toMatch(/\r\u001b\[Ka log line\n.*name\? .*Ad/s);
    io.stdin.write('a\r');
    expect(await answer).toBe('Ada');
  });

  it('errors with what it is led to', async () => {
    const { dialogues, happened } = setUp();
    const failing$ = dialogues.hold(() => Promise.reject(new Error('lost')));
    await expect(firstValueFrom(failing$)).rejects.toThrow('lost');
    expect(happened).toEqual(['pause', 'resume']);
  });
});
