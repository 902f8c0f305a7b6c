import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fromEvent, take } from 'rxjs';
import { atLastMoment } from '../../../src/transport/stdio/last-moment.js';

/** A process that notes what happens to it. */
class FakeHost extends EventEmitter {
  readonly pid = 42;
  readonly happened: string[] = [];

  constructor(readonly platform: NodeJS.Platform = 'linux') {
    super();
  }

  kill(pid: number, signal?: string | number): true {
    this.happened.push(`kill ${pid} ${signal}`);
    return true;
  }

  /** What somebody does at a signal or at the exit. */
  note(what: string): () => void {
    return () => void this.happened.push(what);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

describe('atLastMoment', () => {
  it.each(SIGNALS)('acts at %s that nobody listens to, and then ends the process by it', (signal) => {
    const host = new FakeHost();
    atLastMoment(host.note('act'), host);
    host.emit(signal, signal, 2);
    expect(host.happened).toEqual(['act', `kill 42 ${signal}`]);
    expect(host.eventNames()).toEqual([]);
  });

  it('acts when the process exits, before the listeners of others, and ends nothing', () => {
    const host = new FakeHost();
    host.on('exit', host.note('application'));
    atLastMoment(host.note('act'), host);
    host.emit('exit', 0);
    expect(host.happened).toEqual(['act', 'application']);
    expect(host.eventNames()).toEqual(['exit']);
  });

  it('acts once at most', () => {
    const host = new FakeHost();
    atLastMoment(host.note('act'), host);
    host.emit('SIGINT');
    host.emit('SIGTERM');
    host.emit('exit', 0);
    expect(host.happened).toEqual(['act', 'kill 42 SIGINT']);
  });

  it('does nothing after it was taken back, and leaves nothing', () => {
    const host = new FakeHost();
    const takeBack = atLastMoment(host.note('act'), host);
    takeBack();
    expect(host.eventNames()).toEqual([]);
    takeBack();
    for (const event of [...SIGNALS, 'exit']) host.emit(event);
    expect(host.happened).toEqual([]);
  });

  it('still acts at the exit when a signal was left to the application', () => {
    const host = new FakeHost();
    host.on('SIGINT', () => host.emit('exit', 130));
    atLastMoment(host.note('act'), host);
    host.emit('SIGINT');
    expect(host.happened).toEqual(['act']);
  });

  describe('where the application listens to the signal', () => {
    const ways: [string, (host: FakeHost) => void][] = [
      ['on', (host) => host.on('SIGINT', host.note('application'))],
      ['once', (host) => host.once('SIGINT', host.note('application'))],
      ['prependListener', (host) => host.prependListener('SIGINT', host.note('application'))],
      ['prependOnceListener', (host) => host.prependOnceListener('SIGINT', host.note('application'))],
      [
        'take(1) of fromEvent',
        (host) =>
          fromEvent(host, 'SIGINT')
            .pipe(take(1))
            .subscribe({ next: host.note('application'), error: host.note('error') }),
      ],
    ];

    it.each(ways)('leaves it to one that was registered before (%s)', (_way, listen) => {
      const host = new FakeHost();
      listen(host);
      atLastMoment(host.note('act'), host);
      host.emit('SIGINT');
      expect(host.happened).toEqual(['application']);
    });

    it.each(ways)('leaves it to one that was registered after (%s)', (_way, listen) => {
      const host = new FakeHost();
      atLastMoment(host.note('act'), host);
      listen(host);
      host.emit('SIGINT');
      expect(host.happened).toEqual(['application']);
    });

    it.each(ways.filter(([way]) => !/^on$|^prependListener$/.test(way)))(
      'acts when it comes again and nobody listens any more (%s)',
      async (_way, listen) => {
        const host = new FakeHost();
        listen(host);
        atLastMoment(host.note('act'), host);
        host.emit('SIGINT');
        // The next signal is an event of its own.
        await Promise.resolve();
        host.emit('SIGINT');
        expect(host.happened).toEqual(['application', 'act', 'kill 42 SIGINT']);
      },
    );

    it('acts at another signal', () => {
      const host = new FakeHost();
      host.once('SIGINT', host.note('application'));
      atLastMoment(host.note('act'), host);
      host.emit('SIGTERM');
      expect(host.happened).toEqual(['act', 'kill 42 SIGTERM']);
    });
  });

  describe('in a process with another copy of it', () => {
    it('acts for both, and the process ends once, when both have', () => {
      const host = new FakeHost();
      atLastMoment(host.note('one'), host);
      atLastMoment(host.note('two'), host);
      host.emit('SIGINT');
      expect(host.happened).toEqual(['one', 'two', 'kill 42 SIGINT']);
    });

    it('leaves a signal of the application to it, in both', () => {
      const host = new FakeHost();
      atLastMoment(host.note('one'), host);
      host.once('SIGINT', host.note('application'));
      atLastMoment(host.note('two'), host);
      host.emit('SIGINT');
      expect(host.happened).toEqual(['application']);
    });

    it('knows a listener of any version by its mark', () => {
      const host = new FakeHost();
      host.on('SIGINT', Object.assign(host.note('other'), { [Symbol.for('rx-mcp.last-moment')]: true }));
      atLastMoment(host.note('act'), host);
      host.emit('SIGINT');
      // The end of the process is left to the one that is still there.
      expect(host.happened).toEqual(['other', 'act']);
    });
  });

  describe('in a process with signal-exit', () => {
    const VERSION_4 = Symbol.for('signal-exit emitter');

    afterEach(() => {
      Reflect.deleteProperty(globalThis, VERSION_4);
    });

    /** As each of its versions: acts only where nobody listens but as many as it knows of. */
    const signalExit = (host: FakeHost, counter: { count: number }): void => {
      const listener = (): void => {
        if (host.listenerCount('SIGINT') !== counter.count) return;
        host.off('SIGINT', listener);
        host.happened.push('signal-exit');
      };
      host.on('SIGINT', listener);
    };

    it('does not take it for the application (version 4, two copies)', () => {
      const host = new FakeHost();
      const counter = { count: 2 };
      Reflect.set(globalThis, VERSION_4, counter);
      signalExit(host, counter);
      atLastMoment(host.note('act'), host);
      signalExit(host, counter);
      host.emit('SIGINT');
      expect(host.happened.slice(0, 1)).toEqual(['act']);
      expect(host.happened).toContain('kill 42 SIGINT');
    });

    it('does not take it for the application (version 3), which has its turn when the signal comes again', () => {
      const counter = { count: 1 };
      const host = Object.assign(new FakeHost(), { __signal_exit_emitter__: counter });
      signalExit(host, counter);
      atLastMoment(host.note('act'), host);
      host.emit('SIGINT');
      expect(host.happened).toEqual(['act', 'kill 42 SIGINT']);
      host.emit('SIGINT');
      expect(host.happened.slice(2)).toEqual(['signal-exit']);
    });

    it('leaves a signal to the application that listens besides', () => {
      const host = new FakeHost();
      const counter = { count: 1 };
      Reflect.set(globalThis, VERSION_4, counter);
      signalExit(host, counter);
      atLastMoment(host.note('act'), host);
      host.on('SIGINT', host.note('application'));
      host.emit('SIGINT');
      expect(host.happened).toEqual(['application']);
    });
  });

  describe('on Windows', () => {
    it('leaves SIGBREAK to the application, also where signal-exit is, which does not listen to that one', () => {
      const host = Object.assign(new FakeHost('win32'), { __signal_exit_emitter__: { count: 1 } });
      atLastMoment(host.note('act'), host);
      host.on('SIGBREAK', host.note('application'));
      host.emit('SIGBREAK');
      expect(host.happened).toEqual(['application']);
    });

    it.each([...SIGNALS, 'SIGBREAK'])('acts at %s, and terminates the process', (signal) => {
      const host = new FakeHost('win32');
      atLastMoment(host.note('act'), host);
      host.emit(signal);
      expect(host.happened).toEqual(['act', 'kill 42 SIGTERM']);
      expect(host.eventNames()).toEqual([]);
    });
  });

  it('listens to no signal that the platform does not have', () => {
    const host = new FakeHost();
    const takeBack = atLastMoment(host.note('act'), host);
    expect(host.eventNames()).toEqual([...SIGNALS, 'removeListener', 'exit']);
    takeBack();
  });
});
