import { describe, expect, it } from '@jest/globals';
import { NEVER, throwError } from 'rxjs';
import { ServerGoneError, SpawnFailedError, TimeoutError } from '../../../src/errors/index.js';
import { scriptedTransport } from '../../../src/testing/index.js';
import { sentTo } from '../../support/client/scripted.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';
import { healthy, statusesOf, supervised } from '../../support/config/supervised.js';

const GONE = new ServerGoneError(1, null, 'x', '');
const unanswered = () => scriptedTransport({ 'server/discover': scriptedTransport.silence });
const unlisted = () => scriptedTransport({ 'tools/list': scriptedTransport.silence });

describe('the start of a server', () => {
  it('opens nothing before it is asked for, lists the tools, and is then done', async () => {
    const { supervisor, opened, listed, states } = supervised(healthy);
    expect([opened.length, supervisor.isUp, supervisor.server]).toEqual([0, false, undefined]);
    expect(await supervisor.start()).toEqual({ status: 'connected', restarts: 0 });
    expect(statusesOf(states.values)).toEqual(['configured', 'starting', 'connected']);
    expect([opened.length, listed, supervisor.isUp]).toEqual([1, [['add']], true]);
    expect(supervisor.server?.info?.name).toBe('scripted');
  });

  it('happens once, whoever asks for it and when', async () => {
    const { supervisor, opened } = supervised(healthy);
    const first = supervisor.start();
    expect(supervisor.start()).toBe(first);
    await first;
    expect(supervisor.start()).toBe(first);
    expect(opened).toHaveLength(1);
  });

  it('is the same for who asks for it on hearing that it has begun', async () => {
    const { supervisor, opened } = supervised(() =>
      scriptedTransport({
        'tools/list': async () => {
          for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
          return { tools: [] };
        },
      }),
    );
    const asked: Promise<unknown>[] = [];
    supervisor.state$.subscribe(({ status }) => {
      if (status === 'starting') asked.push(supervisor.start());
    });
    await supervisor.start();
    expect(await Promise.all(asked)).toEqual([{ status: 'connected', restarts: 0 }]);
    expect(opened).toHaveLength(1);
  });

  it.each([
    ['cannot be opened', () => throwError(() => new SpawnFailedError('x', [], 'no')), SpawnFailedError],
    [
      'dies before the handshake',
      () => {
        const server = scriptedTransport({ 'server/discover': () => NEVER });
        server.sent$.subscribe(() => {
          server.die(GONE);
        });
        return server;
      },
      ServerGoneError,
    ],
    [
      'dies after the handshake, and before the first list',
      () => {
        const server = unlisted();
        server.sent$.subscribe((message) => {
          if ('method' in message && message.method === 'tools/list') server.die(GONE);
        });
        return server;
      },
      ServerGoneError,
    ],
    [
      'answers the list with an error',
      () => scriptedTransport({ 'tools/list': scriptedTransport.error(1, 'no') }),
      Error,
    ],
  ])('has failed where the server %s: nothing is left, and nothing is tried again', async (_how, make, kind) => {
    const { supervisor, opened, closed, states } = supervised(make);
    const state = await supervisor.start();
    expect(state).toMatchObject({ status: 'failed', restarts: 0 });
    expect(state.error).toBeInstanceOf(kind);
    expect(state.reason).toBe((state.error as Error).message);
    expect(opened).toHaveLength(1);
    expect(closed).toEqual(opened);
    expect(await supervisor.start()).toBe(state);
    expect(statusesOf(states.values)).toEqual(['configured', 'starting', 'failed']);
    expect(opened).toHaveLength(1);
  });

  it.each([
    ['the handshake', unanswered],
    ['the first list', unlisted],
    ['the opening', () => NEVER],
  ])('is given up where %s takes longer than it may', async (_what, make) => {
    const { supervisor, closed } = supervised(make, { startupTimeoutMs: 1_500, client: { probeTimeoutMs: 60_000 } });
    let started: Promise<unknown> = Promise.resolve();
    inVirtualTime(({ at }) => {
      started = supervisor.start();
      at(1_499, () => expect(closed).toEqual([]));
    });
    expect(await started).toMatchObject({ status: 'failed', reason: 'the server was not ready within 1.5 s' });
    expect(supervisor.state.error).toBeInstanceOf(TimeoutError);
    expect(closed).toHaveLength(1);
  });

  it('does not happen where there is nothing to start', async () => {
    const { supervisor, opened, states } = supervised(healthy, { failure: 'it is disabled' });
    expect(await supervisor.start()).toEqual({ status: 'failed', reason: 'it is disabled', restarts: 0 });
    await supervisor.stop();
    expect(statusesOf(states.values)).toEqual(['failed', 'stopped']);
    expect([opened.length, states.completed]).toEqual([0, true]);
  });
});

describe('a server that died', () => {
  it('is started again, and the reason is told meanwhile', () => {
    inVirtualTime(({ at }) => {
      const { supervisor, opened, states, last } = supervised(healthy, { restartDelayMs: 1_000 });
      void supervisor.start();
      at(10, () => {
        last().die(GONE);
        expect(supervisor.state).toEqual({ status: 'starting', reason: GONE.message, error: GONE, restarts: 1 });
        expect(supervisor.isUp).toBe(true);
      });
      at(509, () => expect(opened).toHaveLength(1));
      at(1_011, () => {
        expect(opened).toHaveLength(2);
        expect(supervisor.state).toEqual({ status: 'connected', restarts: 1 });
        expect(statusesOf(states.values)).toEqual(['configured', 'starting', 'connected', 'starting', 'connected']);
      });
    });
  });

  it('is waited for by those who call meanwhile', () => {
    inVirtualTime(({ at }) => {
      const { supervisor, client, opened, last } = supervised(healthy, { restartDelayMs: 1_000 });
      void supervisor.start();
      let seen = watch(NEVER);
      at(10, () => {
        last().die(GONE);
        seen = watch(client.listTools({ refresh: true })) as never;
      });
      at(2_000, () => {
        expect(seen.values).toMatchObject([[{ name: 'add' }]]);
        expect(opened).toHaveLength(2);
      });
    });
  });

  it('waits longer each time it dies again', () => {
    inVirtualTime(({ at, now }) => {
      const begun: number[] = [];
      const { supervisor, last } = supervised(
        () => {
          begun.push(now());
          return healthy();
        },
        { restartDelayMs: 1_000 },
      );
      void supervisor.start();
      for (const ms of [5_000, 10_000, 15_000]) at(ms, () => last().die(GONE));
      at(20_000, () => {
        const waits = begun.slice(1).map((ms, index) => ms - 5_000 * (index + 1));
        for (const [index, ms] of waits.entries()) {
          expect(ms).toBeGreaterThanOrEqual(500 * 2 ** index);
          expect(ms).toBeLessThanOrEqual(1_000 * 2 ** index);
        }
        expect(waits).toHaveLength(3);
      });
    });
  });

  it('has failed where it died too often within the window, and nobody opens it again', async () => {
    const { supervisor, client, opened, last } = supervised(healthy, { maxRestarts: 2 });
    inVirtualTime(({ at }) => {
      void supervisor.start();
      for (const ms of [100, 200, 300]) at(ms, () => last().die(GONE));
      at(400, () => {
        expect(supervisor.state).toMatchObject({
          status: 'failed',
          reason: `${GONE.message}; it was lost 3 times within 1 s, and is not started again`,
          error: GONE,
          restarts: 2,
        });
        expect(supervisor.isUp).toBe(false);
        watch(client.listTools());
      });
    });
    await supervisor.stop();
    expect(opened).toHaveLength(3);
  });

  it('may have died as often as it likes outside of the window', () => {
    inVirtualTime(({ at }) => {
      const { supervisor, last } = supervised(healthy, { maxRestarts: 1, restartWindowMs: 1_000 });
      void supervisor.start();
      for (let times = 1; times <= 10; times += 1) at(times * 1_000, () => last().die(GONE));
      at(11_500, () => expect(supervisor.state).toEqual({ status: 'connected', restarts: 10 }));
    });
  });

  it('has failed where it never comes back, however long each try takes', () => {
    inVirtualTime(({ at }) => {
      const { supervisor, opened, last } = supervised((life) => (life === 1 ? healthy() : unanswered()), {
        maxRestarts: 2,
        restartWindowMs: 1_000,
        startupTimeoutMs: 5_000,
        client: { probeTimeoutMs: 60_000 },
      });
      void supervisor.start();
      at(100, () => last().die(GONE));
      at(9_000, () => expect(supervisor.state).toMatchObject({ status: 'starting', restarts: 2 }));
      at(11_000, () => {
        expect(supervisor.state).toMatchObject({
          status: 'failed',
          reason: 'the server was not ready within 5 s; it was lost 3 times within 10 s, and is not started again',
        });
        expect(opened).toHaveLength(3);
      });
    });
  });

  it('has failed at once where it may not be started again', () => {
    inVirtualTime(({ at }) => {
      const { supervisor, opened, last } = supervised(healthy, { maxRestarts: 0 });
      void supervisor.start();
      at(100, () => {
        last().die(GONE);
        expect(supervisor.state).toEqual({ status: 'failed', reason: GONE.message, error: GONE, restarts: 0 });
      });
      at(5_000, () => expect(opened).toHaveLength(1));
    });
  });

  it.each([
    ['cannot be opened', () => throwError(() => GONE)],
    [
      'dies during its handshake',
      () => {
        const server = unanswered();
        server.sent$.subscribe(() => {
          server.die(GONE);
        });
        return server;
      },
    ],
  ])('and then %s has died once more', (_how, make) => {
    inVirtualTime(({ at }) => {
      const { supervisor, opened, last } = supervised((life) => (life === 2 ? make() : healthy()));
      void supervisor.start();
      at(100, () => last().die(GONE));
      at(200, () => {
        expect(supervisor.state).toEqual({ status: 'connected', restarts: 2 });
        expect(opened).toHaveLength(3);
      });
    });
  });

  it('and dies again right after its restart is started once more', () => {
    inVirtualTime(({ at }) => {
      const { supervisor, last, states } = supervised(healthy);
      supervisor.state$.subscribe(({ status, restarts }) => {
        if (status === 'connected' && restarts === 1) last().die(GONE);
      });
      void supervisor.start();
      at(100, () => last().die(GONE));
      at(200, () => {
        expect(supervisor.state).toEqual({ status: 'connected', restarts: 2 });
        expect(states.values.map(({ restarts }) => restarts)).toEqual([0, 0, 0, 1, 1, 2, 2]);
      });
    });
  });

  it.each([
    ['handshake', unanswered],
    ['opening', () => NEVER],
  ])('is given up where the %s of its restart hangs, and tried again', (_what, make) => {
    inVirtualTime(({ at }) => {
      const { supervisor, opened, closed, last } = supervised((life) => (life === 2 ? make() : healthy()), {
        startupTimeoutMs: 1_500,
        client: { probeTimeoutMs: 60_000 },
      });
      void supervisor.start();
      at(100, () => last().die(GONE));
      at(1_599, () => {
        expect([opened.length, closed.length]).toEqual([2, 1]);
        expect(supervisor.state).toMatchObject({ status: 'starting', restarts: 1 });
      });
      at(1_700, () => {
        expect(closed).toContain(opened[1]);
        expect(supervisor.state).toEqual({ status: 'connected', restarts: 2 });
      });
    });
  });
});

describe('the end of a server', () => {
  it('may come before it was started, and then it is not', async () => {
    const { supervisor, opened, states } = supervised(healthy);
    await supervisor.stop();
    expect(await supervisor.start()).toEqual({ status: 'stopped', restarts: 0 });
    expect(statusesOf(states.values)).toEqual(['configured', 'stopped']);
    expect([opened.length, states.completed]).toEqual([0, true]);
  });

  it.each([
    ['handshake', unanswered],
    ['first list', unlisted],
    ['opening', () => NEVER],
  ])('may come during its %s: the start resolves with it', async (_what, make) => {
    const { supervisor, opened, closed, states } = supervised(make);
    const started = supervisor.start();
    await supervisor.stop();
    expect(await started).toEqual({ status: 'stopped', restarts: 0 });
    expect(statusesOf(states.values)).toEqual(['configured', 'starting', 'stopped']);
    expect(opened).toHaveLength(1);
    expect(closed).toEqual(opened);
  });

  it('may come while it is connected, and be asked for twice', async () => {
    const { supervisor, opened, closed, states } = supervised(healthy);
    await supervisor.start();
    const stopped = supervisor.stop();
    expect([supervisor.isUp, supervisor.state.status]).toEqual([false, 'stopped']);
    await Promise.all([stopped, supervisor.stop()]);
    expect(states.completed).toBe(true);
    expect(closed).toEqual(opened);
  });

  it.each([
    ['waits', 300],
    ['shakes hands', 1_500],
  ])('may come while a restart %s', async (_when, ms) => {
    const { supervisor, opened, closed, last } = supervised((life) => (life === 1 ? healthy() : unanswered()), {
      restartDelayMs: 1_000,
      startupTimeoutMs: 20_000,
      client: { probeTimeoutMs: 60_000 },
    });
    let stopped: Promise<void> = Promise.resolve();
    inVirtualTime(({ at }) => {
      void supervisor.start();
      at(10, () => last().die(GONE));
      at(ms, () => {
        stopped = supervisor.stop();
      });
    });
    await stopped;
    expect(supervisor.state).toEqual({ status: 'stopped', restarts: 1 });
    expect(closed).toEqual(opened);
  });

  it('may be asked for by who hears of the start, and then nothing is opened', async () => {
    const { supervisor, opened } = supervised(healthy);
    supervisor.state$.subscribe(({ status }) => {
      if (status === 'starting') void supervisor.stop();
    });
    expect(await supervisor.start()).toEqual({ status: 'stopped', restarts: 0 });
    expect(opened).toEqual([]);
  });

  it('is told after what came before it, to everybody, and is the last', async () => {
    const { supervisor } = supervised(() => throwError(() => GONE));
    const first: string[] = [];
    supervisor.state$.subscribe(({ status }) => {
      first.push(status);
      if (status === 'failed') void supervisor.stop();
    });
    const second = watch(supervisor.state$);
    await supervisor.start();
    const all = ['configured', 'starting', 'failed', 'stopped'];
    expect([first, statusesOf(second.values)]).toEqual([all, all]);
    expect(second.completed).toBe(true);
    expect(watch(supervisor.state$)).toMatchObject({ values: [{ status: 'stopped' }], completed: true });
  });

  it('sends nothing more', async () => {
    const { supervisor, client, last } = supervised(healthy);
    await supervisor.start();
    await supervisor.stop();
    expect(watch(client.listTools({ refresh: true })).error).toBeDefined();
    expect(sentTo(last(), 'tools/list')).toHaveLength(1);
  });
});
