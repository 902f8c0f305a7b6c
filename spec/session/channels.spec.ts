import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { config, type Observable } from 'rxjs';
import { Channels, LOG_LEVELS, type LogMessage, type Progress, type Warning } from '../../src/session/index.js';
import { marbles } from '../support/marbles.js';

const progress: Progress = { requestId: 1, progressToken: 1, method: 'tools/call', progress: 1 };
const log: LogMessage = { level: 'info', data: 'hello' };

const thrower = (): never => {
  throw new Error('thrown');
};

// Typed as a callback that returns nothing, an async function is one all the same.
const rejecting: () => unknown = () => Promise.reject(new Error('later'));

/** Everything a stream has emitted so far, then `'|'`. */
const watch = (stream$: Observable<unknown>): unknown[] => {
  const seen: unknown[] = [];
  stream$.subscribe({ next: (value) => seen.push(value), complete: () => seen.push('|') });
  return seen;
};

const speak = (channels: Channels): void => {
  channels.notification({ jsonrpc: '2.0', method: 'notifications/x', params: { a: 1 } });
  channels.progress(progress);
  channels.log(log);
  channels.warn('housekeeping', 'w');
  channels.stderr('line');
  channels.wire('in', { jsonrpc: '2.0', method: 'notifications/x' });
};

const streamsOf = ({
  notifications$,
  progress$,
  logs$,
  warnings$,
  stderr$,
  wire$,
}: Channels): Observable<unknown>[] => [notifications$, progress$, logs$, warnings$, stderr$, wire$];

const { onUnhandledError } = config;

afterEach(() => {
  config.onUnhandledError = onUnhandledError;
});

describe('Channels', () => {
  it('have a stream for each kind, and each thing said is on its stream alone', () => {
    const channels = new Channels();
    const seen = streamsOf(channels).map(watch);
    speak(channels);
    expect(seen).toEqual([
      [{ method: 'notifications/x', params: { a: 1 } }],
      [progress],
      [log],
      [{ kind: 'housekeeping', message: 'w' }],
      ['line'],
      [{ direction: 'in', message: { jsonrpc: '2.0', method: 'notifications/x' }, at: expect.any(Number) }],
    ]);
  });

  it('are hot and replay nothing', () => {
    const channels = new Channels();
    speak(channels);
    const seen = streamsOf(channels).map(watch);
    expect(seen).toEqual([[], [], [], [], [], []]);
  });

  it('complete when they are closed, for those who come later as well, and are silent from then on', () => {
    const channels = new Channels({ onWarn: () => undefined });
    const before = streamsOf(channels).map(watch);
    channels.close();
    channels.close();
    speak(channels);
    const after = streamsOf(channels).map(watch);
    expect([...before, ...after]).toEqual(Array.from({ length: 12 }, () => ['|']));
  });

  it('tell of what comes once the first time, each kind for itself', () => {
    const onWarn = jest.fn();
    const channels = new Channels({ onWarn });
    channels.warnOnce('no-log-level', 'first');
    channels.warnOnce('no-log-level', 'second');
    channels.warnOnce('housekeeping', 'third');
    channels.warnOnce('housekeeping', 'fourth');
    expect(onWarn.mock.calls).toEqual([
      [{ kind: 'no-log-level', message: 'first' }],
      [{ kind: 'housekeeping', message: 'third' }],
    ]);
  });

  it('stamp each frame of the wire with its moment', () => {
    marbles(({ cold, expectObservable }) => {
      const channels = new Channels();
      const message = { jsonrpc: '2.0', method: 'notifications/x' } as const;
      cold('---o--i').subscribe((direction) => channels.wire(direction === 'o' ? 'out' : 'in', message));
      expectObservable(channels.wire$).toBe('---a--b', {
        a: { direction: 'out', message, at: 3 },
        b: { direction: 'in', message, at: 6 },
      });
    });
  });

  it('know whether progress is wanted: by a callback, or while somebody listens', () => {
    expect(new Channels({ onProgress: () => undefined }).wantsProgress).toBe(true);
    const channels = new Channels();
    expect(channels.wantsProgress).toBe(false);
    const listening = channels.progress$.subscribe();
    expect(channels.wantsProgress).toBe(true);
    listening.unsubscribe();
    expect(channels.wantsProgress).toBe(false);
  });

  it('know whether logs are wanted: by a callback, or while somebody listens', () => {
    expect(new Channels({ onLog: () => undefined }).wantsLogs).toBe(true);
    const channels = new Channels();
    expect(channels.wantsLogs).toBe(false);
    const listening = channels.logs$.subscribe();
    expect(channels.wantsLogs).toBe(true);
    listening.unsubscribe();
    expect(channels.wantsLogs).toBe(false);
  });

  it('call the callbacks beside the streams', () => {
    const onLog = jest.fn();
    const onProgress = jest.fn();
    const onWarn = jest.fn();
    speak(new Channels({ onLog, onProgress, onWarn }));
    expect(onLog.mock.calls).toEqual([[log]]);
    expect(onProgress.mock.calls).toEqual([[progress]]);
    expect(onWarn.mock.calls).toEqual([[{ kind: 'housekeeping', message: 'w' }]]);
  });

  it('give a warning its detail, whatever that is, and none where there is none', () => {
    const channels = new Channels();
    const seen = watch(channels.warnings$);
    channels.warn('invalid-message', 'a', null);
    channels.warn('invalid-message', 'b', 0);
    channels.warn('invalid-message', 'c');
    expect(seen).toStrictEqual([
      { kind: 'invalid-message', message: 'a', detail: null },
      { kind: 'invalid-message', message: 'b', detail: 0 },
      { kind: 'invalid-message', message: 'c' },
    ]);
  });

  it.each(['onLog', 'onProgress'] as const)('make a warning of what %s throws, and go on', (name) => {
    const onWarn = jest.fn<(warning: Warning) => void>();
    const channels = new Channels({ [name]: thrower, onWarn });
    const logs = watch(channels.logs$);
    const reports = watch(channels.progress$);
    speak(channels);
    expect([logs, reports]).toEqual([[log], [progress]]);
    expect(onWarn.mock.calls[0]).toEqual([
      { kind: 'callback-threw', message: `${name} threw: Error: thrown`, detail: new Error('thrown') },
    ]);
  });

  it('make a warning of what an async callback rejects with', async () => {
    const warning = await new Promise((resolve) => {
      new Channels({ onLog: rejecting, onWarn: resolve }).log(log);
    });
    expect(warning).toMatchObject({ kind: 'callback-threw', message: 'onLog threw: Error: later' });
  });

  it('tell the stream when onWarn itself throws, and never call it for that', () => {
    const onWarn = jest.fn(thrower);
    const channels = new Channels({ onWarn });
    const seen = watch(channels.warnings$);
    channels.warn('housekeeping', 'w');
    expect(onWarn).toHaveBeenCalledTimes(1);
    expect(seen).toEqual([
      { kind: 'callback-threw', message: 'onWarn threw: Error: thrown', detail: new Error('thrown') },
      { kind: 'housekeeping', message: 'w' },
    ]);
  });

  it('say a warning in one line, whatever the reason it quotes', () => {
    const channels = new Channels();
    const seen = watch(channels.warnings$);
    const reason = new Error('gone\nat line 1\nat line 2');
    channels.warn('transport', `it failed: ${reason.message}`, reason);
    expect(seen).toEqual([{ kind: 'transport', message: 'it failed: gone', detail: reason }]);
  });

  it('reach the other listeners when one throws, which is for RxJS to report', async () => {
    const channels = new Channels();
    const reported = new Promise((resolve) => {
      config.onUnhandledError = resolve;
    });
    channels.logs$.subscribe({ next: thrower, error: () => undefined });
    const seen = watch(channels.logs$);
    channels.log(log);
    expect(seen).toEqual([log]);
    expect(await reported).toEqual(new Error('thrown'));
  });
});

it('LOG_LEVELS are those of RFC 5424, mildest first', () => {
  expect(LOG_LEVELS).toEqual(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']);
});
