import { describe, expect, it } from '@jest/globals';
import { TimeoutError } from '../../src/index.js';
import { connectStdio } from '../../src/bridge/stdio.js';
import { rejection } from '../support/client/watch.js';

describe('a server that never stops writing what is no message', () => {
  it('stops no clock of the client, and is ended by close()', async () => {
    const flood =
      "const line = Buffer.from('y\\n'.repeat(30000)); const go = () => process.stdout.write(line, go); go();";
    const client = connectStdio({
      command: process.execPath,
      args: ['-e', flood],
      era: 'legacy',
      requestTimeoutMs: 300,
      killGraceMs: 100,
    });
    expect(await rejection(client.promises.listTools())).toBeInstanceOf(TimeoutError);
    await client.close();
    expect(client.alive).toBe(false);
  });
});
