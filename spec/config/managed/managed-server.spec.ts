import { describe, expect, it } from '@jest/globals';
import { ManagedServer } from '../../../src/config/managed/managed-server.js';
import { TransportClosedError } from '../../../src/errors/index.js';
import { Registry } from '../../../src/index.js';
import { rejection, thrownBy, watch } from '../../support/client/watch.js';

const none = (more: object = {}): ManagedServer =>
  ManagedServer.of('my server', { command: 'x', disabled: true }, more);

describe('a managed server that cannot be started', () => {
  it('has failed from the beginning, and says why', async () => {
    const server = none();
    expect(server).toMatchObject({
      key: 'my server',
      name: 'my server',
      status: 'failed',
      reason: 'it is disabled in the config',
      transport: undefined,
      toolPrefix: 'mcp__my_server__',
      childEnv: {},
      tools: [],
      toolNames: [],
      prompts: [],
      resources: [],
      hasPrompts: false,
      hasResources: false,
      pid: undefined,
      stderrTail: '',
      protocolVersion: undefined,
    });
    expect(server.originalName('mcp__my_server__x')).toBeUndefined();
    expect(await server.start()).toMatchObject({ status: 'failed' });
    await server.stop();
    expect(server.status).toBe('stopped');
  });

  it('refuses every call, as a Promise, too', async () => {
    await using server = none();
    const { promises } = server;
    const calls = [
      promises.listTools(),
      promises.listPrompts(),
      promises.listResources(),
      promises.listResourceTemplates(),
      promises.callTool('a'),
      promises.getPrompt('a'),
      promises.readResource('a:b'),
      promises.toolsForLlm(),
    ];
    for (const call of calls) {
      const error = await rejection(call);
      expect(error).toBeInstanceOf(TransportClosedError);
      expect((error as Error).message).toBe(
        'the server "my server" is not connected, but failed: it is disabled in the config',
      );
    }
  });

  it('answers the calls of a model with failures', async () => {
    await using server = none();
    const [answer] = await server.promises.executeToolCalls([{ id: '1', name: 'mcp__my_server__a', arguments: {} }]);
    expect(answer).toMatchObject({ tool_call_id: '1', is_error: true });
  });

  it('tells its states, whatever a callback throws, and its streams complete', async () => {
    const told: string[] = [];
    const server = none({
      onStatus: ({ status }: { status: string }) => {
        told.push(status);
        throw new Error('callback');
      },
    });
    const [states, tools] = [watch(server.status$), watch(server.tools$)];
    await server.stop();
    expect(told).toEqual(['stopped']);
    expect(states.values.map(({ status }) => status)).toEqual(['failed', 'stopped']);
    expect([states.completed, tools.completed, tools.values]).toEqual([true, true, [[]]]);
    expect(server.warnings).toEqual(['onStatus threw: callback']);
  });

  it('shows nobody its environment who did not ask for it', async () => {
    await using server = ManagedServer.of('x', { command: 'x', env: { KEY: 'swordfish' } });
    expect(server.childEnv['KEY']).toBe('swordfish');
    expect(Object.keys(server)).not.toContain('childEnv');
  });

  it('ends with what owns it', async () => {
    const server = none();
    await new Registry().add(server, { prefix: 'x', owned: true }).close();
    expect(server.status).toBe('stopped');
  });

  it('can be ended at once, and is stopped then', async () => {
    const server = none();
    server.killNow();
    expect(server.status).toBe('stopped');
    await server.stop();
  });
});

describe('a managed server in no file', () => {
  it.each([
    ['maxRestart', { maxRestart: 1 }],
    ['plugin.root', { plugin: {} }],
    ['client', { client: () => undefined }],
    ['client', { client: () => 'x' }],
    ['retries', { client: { retries: 1 } }],
  ])('refuses an option that cannot be used: %s', (option, options) => {
    expect(thrownBy(() => none(options))).toMatchObject({ name: 'OptionError', option });
  });

  it('may have any key, but one', async () => {
    await using server = ManagedServer.of('__proto__', { command: 'x', disabled: true });
    expect(server.key).toBe('__proto__');
    await using nameless = ManagedServer.of('', { command: 'x' });
    expect(nameless).toMatchObject({ status: 'failed' });
    expect(nameless.reason).toContain('give it one');
  });

  it('holds no secret in its reason', async () => {
    await using server = ManagedServer.of('k', { url: 'nonsense://user:hunter22@h/?token=hunter22' });
    expect(server.status).toBe('failed');
    expect(server.reason).not.toContain('hunter22');
  });
});
