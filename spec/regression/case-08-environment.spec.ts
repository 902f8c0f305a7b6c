import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstValueFrom } from 'rxjs';
import { SpawnFailedError } from '../../src/errors/index.js';
import { stdioConnector } from '../../src/transport/stdio/index.js';
import { failureOf, open } from '../support/child-processes.js';

const SERVER = `#!/usr/bin/env node
const { HOME, TOKEN, PATH } = process.env;
console.log(JSON.stringify({ jsonrpc: '2.0', method: 'x-test/env', params: { HOME, TOKEN, PATH } }));
process.stdin.resume();
`;

describe('case 8: a command that is found by PATH', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rx-mcp-path-'));
    writeFileSync(join(folder, 'a-server'), SERVER);
    chmodSync(join(folder, 'a-server'), 0o755);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('is started with the whole environment, and env laid over it', async () => {
    const PATH = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
    const { transport, messages$ } = await open({ command: 'a-server', env: { PATH, TOKEN: 'hush' } });
    const { HOME } = process.env;
    expect(await firstValueFrom(messages$)).toEqual({
      jsonrpc: '2.0',
      method: 'x-test/env',
      params: { HOME, TOKEN: 'hush', PATH },
    });
    await transport.close();
  });

  it('keeps PATH when env names other variables alone', async () => {
    const { transport, messages$ } = await open({
      command: 'node',
      args: [join(folder, 'a-server')],
      env: { TOKEN: 'hush' },
    });
    expect(await firstValueFrom(messages$)).toMatchObject({ params: { TOKEN: 'hush', PATH: process.env['PATH'] } });
    await transport.close();
  });

  it('is not found where the environment is not inherited and env has no PATH to it', async () => {
    const failure = await failureOf(
      stdioConnector({ command: 'a-server', env: { TOKEN: 'hush' }, inheritEnv: false })(),
    );
    expect(failure).toBeInstanceOf(SpawnFailedError);
    expect((failure as Error).message).toMatch(/PATH/);
    expect((failure as Error).message).not.toMatch(/hush/);
  });
});
