import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { config } from 'rxjs';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, methodsOf, scriptedLives } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

const silence = scriptedTransport.silence;

const answering = (): ScriptedTransport => scriptedTransport({ 'tools/call': { content: [] } });

const NOTICES = [
  { method: 'notifications/tools/list_changed', params: undefined },
  { method: 'notifications/resources/updated', params: { uri: 'a:b', extra: [1] } },
  { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
  { method: 'notifications/message', params: { level: 'info', data: 'x' } },
  { method: 'notifications/cancelled', params: { requestId: 99 } },
  { method: 'x-vendor/anything', params: { deep: { er: null } } },
];

describe.each(ERAS)('notifications$ in the %s era', (era) => {
  it('is every notification as it came, in order', () => {
    const server = scriptedTransport({}, { era });
    const client = connect(server, { era });
    const { values } = watch(client.notifications$);
    const warnings = watch(client.warnings$).values;
    watch(client.server());
    for (const { method, params } of NOTICES) server.push(params === undefined ? { method } : { method, params });
    expect(values).toEqual(NOTICES);
    expect(warnings).toEqual([]);
  });
});

describe('the streams', () => {
  it('are hot: whoever comes later has missed what was before', () => {
    const server = answering();
    const client = connect(server);
    watch(client.server());
    server.push({ method: 'x-vendor/early' });
    const { values } = watch(client.notifications$);
    server.push({ method: 'x-vendor/late' });
    expect(values.map(({ method }) => method)).toEqual(['x-vendor/late']);
  });

  it('survive a restart, and never error', () => {
    const lives = scriptedLives(answering);
    const client = connect(lives);
    const seen = [
      watch<unknown>(client.notifications$),
      watch<unknown>(client.progress$),
      watch<unknown>(client.logs$),
      watch<unknown>(client.warnings$),
      watch<unknown>(client.stderr$),
      watch<unknown>(client.wire$),
      watch<unknown>(client.state$),
    ];
    watch(client.server());
    lives.opened[0]?.die(new Error('gone'));
    watch(client.server());
    lives.opened[1]?.push({ method: 'x-vendor/second' });
    expect(seen[0]?.values).toEqual([{ method: 'x-vendor/second', params: undefined }]);
    expect(seen.map(({ error, completed }) => [error, completed])).toEqual(seen.map(() => [undefined, false]));
  });

  it('say nothing of a former connection', () => {
    const lives = scriptedLives(answering);
    const client = connect(lives);
    const { values } = watch(client.notifications$);
    watch(client.server());
    lives.opened[0]?.die();
    watch(client.server());
    lives.opened[0]?.push({ method: 'x-vendor/ghost' });
    expect(values).toEqual([]);
  });
});

describe('a subscriber of the application that throws', () => {
  const unhandled: unknown[] = [];
  const { onUnhandledError } = config;
  let reported: Promise<void>;

  beforeEach(() => {
    unhandled.length = 0;
    reported = new Promise((resolve) => {
      config.onUnhandledError = (reason) => {
        if (unhandled.push(reason) === 3) resolve();
      };
    });
  });

  afterEach(() => {
    config.onUnhandledError = onUnhandledError;
  });

  it('is reported by RxJS, and harms neither the other listeners nor the calls', async () => {
    const fault = new Error('in the application');
    const server = scriptedTransport({ 'tools/call': silence });
    const client = connect(server);
    client.notifications$.subscribe({
      next: () => {
        throw fault;
      },
      error: () => undefined,
    });
    const other = watch(client.notifications$);
    const call = watch(client.callTool('t'));
    server.push({ method: 'x-vendor/one' });
    server.push({ id: 2, result: { content: [] } });
    expect([other.values.length, call.completed]).toEqual([1, true]);
    client.callTool('t').subscribe({
      next: () => {
        throw fault;
      },
      error: () => undefined,
    });
    server.push({ id: 3, result: { content: [] } });
    server.push({ method: 'x-vendor/two' });
    expect(other.values).toHaveLength(2);
    await reported;
    expect(unhandled).toEqual([fault, fault, fault]);
  });
});

describe('wire$', () => {
  it('is every frame both ways, in wire order, with its time', () => {
    inVirtualTime(({ at }) => {
      const server = scriptedTransport({ 'tools/call': silence });
      const client = connect(server);
      const { values } = watch(client.wire$);
      at(5, () => watch(client.callTool('t')));
      at(7, () => server.push({ id: 2, result: { content: [] } }));
      at(9, () => server.pushRaw('junk'));
      at(10, () => {
        expect(
          values.map(({ direction, at: moment, message }) => [
            direction,
            moment,
            'method' in message ? message.method : 'id' in message ? message.id : 'invalid',
          ]),
        ).toEqual([
          ['out', 5, 'server/discover'],
          ['in', 5, 1],
          ['out', 5, 'tools/call'],
          ['in', 7, 2],
          ['in', 9, 'invalid'],
        ]);
      });
    });
  });
});

describe('warnings$', () => {
  it('has one warning for each line that is no message, with its beginning', () => {
    const server = answering();
    const client = connect(server);
    const { values } = watch(client.warnings$);
    watch(client.server());
    server.pushRaw('Server listening…');
    server.pushRaw('{"jsonrpc":"2.0"}');
    expect(values.map(({ kind }) => kind)).toEqual(['invalid-message', 'invalid-message']);
    expect(values[0]?.detail).toBe('Server listening…');
  });

  it('has one warning for a request of a modern server, which is not answered', () => {
    const server = answering();
    const client = connect(server);
    const { values } = watch(client.warnings$);
    watch(client.server());
    server.push({ id: 1, method: 'ping' });
    expect(values.map(({ kind }) => kind)).toEqual(['unexpected-request']);
    expect(methodsOf(server)).toEqual(['server/discover']);
  });
});

describe('logs without a logLevel', () => {
  const warned = (
    use: (client: ReturnType<typeof connect>) => unknown,
    options: object = {},
    era: 'modern' | 'legacy' = 'modern',
  ): string[] => {
    const script = { 'tools/call': { content: [] } };
    const client = connect(scriptedTransport(script, { era }), { era, ...options });
    const { values } = watch(client.warnings$);
    use(client);
    return values.map(({ kind }) => kind);
  };

  it('are one warning, however many calls, where a modern server is listened to', () => {
    const twice = (client: ReturnType<typeof connect>): void => {
      watch(client.logs$);
      watch(client.callTool('t'));
      watch(client.callTool('t'));
    };
    expect(warned(twice)).toEqual(['no-log-level']);
    expect(warned((client) => watch(client.callTool('t')), { onLog: () => undefined })).toEqual(['no-log-level']);
  });

  it('are no warning where nobody listens, where a level is set, or in the legacy era', () => {
    const listen = (client: ReturnType<typeof connect>): void => {
      watch(client.logs$);
      watch(client.callTool('t'));
    };
    expect(warned((client) => watch(client.callTool('t')))).toEqual([]);
    expect(warned(listen, { logLevel: 'info' })).toEqual([]);
    expect(warned(listen, {}, 'legacy')).toEqual([]);
    const own = (client: ReturnType<typeof connect>): void => {
      watch(client.logs$);
      watch(client.callTool('t', {}, { logLevel: 'info' }));
    };
    expect(warned(own)).toEqual([]);
  });
});

describe('logs$', () => {
  it.each(ERAS)('and onLog have each log message, in the %s era', (era) => {
    const heard: unknown[] = [];
    const server = scriptedTransport({}, { era });
    const client = connect(server, { era, logLevel: 'info', onLog: (log) => heard.push(log) });
    const { values } = watch(client.logs$);
    watch(client.server());
    server.push({ method: 'notifications/message', params: { level: 'alert', logger: 'db', data: { a: 1 } } });
    expect(values).toEqual([{ level: 'alert', logger: 'db', data: { a: 1 } }]);
    expect(heard).toEqual(values);
  });
});
