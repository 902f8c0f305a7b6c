import { describe, expect, it } from '@jest/globals';
import { ServerGoneError } from '../../src/errors/index.js';
import { failureOf, open, peer, request } from '../support/child-processes.js';

describe('case 3: a server that dies', () => {
  it('is named with its exit code and the last it wrote to stderr', async () => {
    const { transport, messages$ } = await open(
      peer('quit', '78', 'Error: the variable API_KEY is not set\n    at main\n'),
    );
    transport.send(request(1)).subscribe({ error: () => undefined });
    const failure = await failureOf(messages$);
    expect(failure).toBeInstanceOf(ServerGoneError);
    expect(failure).toMatchObject({
      name: 'ServerGoneError',
      exitCode: 78,
      signal: null,
      command: process.execPath,
      stderrTail: 'Error: the variable API_KEY is not set\n    at main',
    });
    expect((failure as Error).message).toMatch(/exited with code 78.*\nError: the variable API_KEY is not set/);
    await transport.close();
  });

  it('is named with the signal that ended it', async () => {
    const { transport, messages$ } = await open(peer('kill-self', 'SIGABRT'));
    transport.send(request(1)).subscribe({ error: () => undefined });
    expect(await failureOf(messages$)).toMatchObject({ exitCode: null, signal: 'SIGABRT', stderrTail: '' });
    await transport.close();
  });

  it('has the end of a long stderr in its error, and not the beginning', async () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index}`);
    const { transport, messages$ } = await open(peer('quit', '1', `${lines.join('\n')}\nthe reason\n`));
    transport.send(request(1)).subscribe({ error: () => undefined });
    const { stderrTail } = (await failureOf(messages$)) as ServerGoneError;
    expect(stderrTail.split('\n')).toEqual([...lines.slice(-19), 'the reason']);
    await transport.close();
  });

  it('is named also where it dies before anything was sent', async () => {
    const { transport, messages$ } = await open(peer('flee', '3'));
    expect(await failureOf(messages$)).toMatchObject({ name: 'ServerGoneError', exitCode: 3 });
    await transport.close();
  });
});
