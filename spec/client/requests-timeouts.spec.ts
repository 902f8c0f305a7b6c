import { describe, expect, it } from '@jest/globals';
import { NEVER, Observable } from 'rxjs';
import { type ClientOptions, type McpClient, TimeoutError } from '../../src/index.js';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, methodsOf, OPENING, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

const silent = (era: 'modern' | 'legacy' = 'modern'): ScriptedTransport =>
  scriptedTransport({ 'tools/call': scriptedTransport.silence }, { era });

const progress = (server: ScriptedTransport, progressToken: string | number, value: number): void => {
  server.push({ method: 'notifications/progress', params: { progressToken, progress: value } });
};

const tokenOf = (server: ScriptedTransport): string | number =>
  (sentTo(server, 'tools/call')[0]?.params?.['_meta'] as { progressToken: string | number }).progressToken;

/** A client whose wire opens but never answers: every call waits for the connection. */
const unanswered = (options: ClientOptions = {}): { server: ScriptedTransport; client: McpClient } => {
  const server = scriptedTransport({ 'server/discover': scriptedTransport.silence });
  return { server, client: connect(server, { era: 'modern', ...options }) };
};

const callError = (ms: number, ...id: [] | [number | undefined]): TimeoutError =>
  new TimeoutError('tools/call', id.length === 0 ? 2 : id[0], ms);

describe.each(ERAS)('a call that is not answered in the %s era', (era) => {
  it('fails after 60 s, with the facts, and the server is told in fixed words', () => {
    inVirtualTime(({ at }) => {
      const server = silent(era);
      const seen = watch(connect(server, { era }).callTool('slow'));
      at(59_999, () => expect(seen.marks).toEqual([]));
      at(60_000, () => {
        expect(seen.marks).toEqual([[60_000, callError(60_000)]]);
        expect(seen.error).toMatchObject({ method: 'tools/call', id: 2, timeoutMs: 60_000 });
        expect(methodsOf(server)).toEqual([...OPENING[era], 'tools/call', 'notifications/cancelled']);
        expect(sentTo(server, 'notifications/cancelled')).toEqual([
          {
            jsonrpc: '2.0',
            method: 'notifications/cancelled',
            params: { requestId: 2, reason: 'the client gave this request up' },
          },
        ]);
      });
    });
  });
});

describe('the timeout of a call', () => {
  it('is requestTimeoutMs, or timeoutMs of the call', () => {
    inVirtualTime(({ at }) => {
      const client = connect(silent(), { requestTimeoutMs: 100 });
      const [usual, own] = [watch(client.callTool('a')), watch(client.callTool('b', {}, { timeoutMs: 40 }))];
      at(1_000, () => {
        expect(usual.marks).toEqual([[100, callError(100)]]);
        expect(own.marks).toEqual([[40, callError(40, 3)]]);
      });
    });
  });

  it.each<[string, ClientOptions, object]>([
    ['for the client', { requestTimeoutMs: 0, maxTotalMs: 0 }, {}],
    ['for the call', {}, { timeoutMs: 0, maxTotalMs: 0 }],
  ])('is none at 0, %s', (_where, options, callOptions) => {
    inVirtualTime(({ at }) => {
      const server = silent();
      const seen = watch(connect(server, options).callTool('slow', {}, callOptions));
      at(2_000_000_000, () => {
        expect(seen.marks).toEqual([]);
        server.push({ id: 2, result: { content: [], resultType: 'complete' } });
        expect(seen.completed).toBe(true);
      });
    });
  });

  it('of 0 leaves the total cap in force', () => {
    inVirtualTime(({ at }) => {
      const seen = watch(connect(silent()).callTool('slow', {}, { timeoutMs: 0 }));
      at(600_000, () => expect(seen.marks).toEqual([[600_000, callError(600_000)]]));
    });
  });

  it('does not outlive the call: an answer, an error and an unsubscription end it', () => {
    inVirtualTime(({ at }) => {
      const server = silent();
      const client = connect(server, { requestTimeoutMs: 100 });
      const [answered, refused, left] = [1, 2, 3].map(() => watch(client.callTool('slow'))) as [
        ReturnType<typeof watch>,
        ReturnType<typeof watch>,
        ReturnType<typeof watch>,
      ];
      server.push({ id: 2, result: { content: [] } });
      server.push({ id: 3, error: { code: -32603, message: 'no' } });
      left.subscription.unsubscribe();
      at(1_000, () => {
        expect(answered.marks.map(([ms]) => ms)).toEqual([0, 0]);
        expect(refused.marks.map(([ms]) => ms)).toEqual([0]);
        expect(left.marks).toEqual([]);
        expect(sentTo(server, 'notifications/cancelled')).toHaveLength(1);
      });
    });
  });

  it('that is longer than another does not hold that one up', () => {
    inVirtualTime(({ at }) => {
      const client = connect(silent());
      const seen = [300, 100, 200].map((timeoutMs) => watch(client.callTool('slow', {}, { timeoutMs })));
      at(1_000, () => expect(seen.map(({ marks }) => marks[0]?.[0])).toEqual([300, 100, 200]));
    });
  });
});

describe('progress', () => {
  it('starts the timeout anew, and the total cap ends it all the same', () => {
    inVirtualTime(({ at }) => {
      const server = silent();
      const seen = watch(
        connect(server).callTool('slow', {}, { timeoutMs: 100, maxTotalMs: 350, resetOnProgress: true }),
      );
      for (let ms = 90; ms < 1_000; ms += 90) at(ms, () => progress(server, tokenOf(server), ms));
      at(1_000, () => {
        expect(seen.marks).toEqual([[350, callError(350)]]);
        expect(sentTo(server, 'notifications/cancelled')).toHaveLength(1);
      });
    });
  });

  it('starts it anew by default as soon as somebody asks for reports, for whatever reason', () => {
    inVirtualTime(({ at }) => {
      const server = silent();
      const client = connect(server, { requestTimeoutMs: 100 });
      const seen = watch(client.callTool('slow', {}, { observe: 'events' }));
      at(90, () => progress(server, tokenOf(server), 1));
      at(1_000, () => {
        expect(seen.marks.map(([ms]) => ms)).toEqual([90, 190]);
        expect(seen.error).toBeInstanceOf(TimeoutError);
      });
    });
  });

  it.each<[string, ClientOptions, object]>([
    ['of the client', { resetOnProgress: false }, {}],
    ['of the call', {}, { resetOnProgress: false }],
  ])('starts nothing anew where resetOnProgress %s is false', (_where, options, callOptions) => {
    inVirtualTime(({ at }) => {
      const server = silent();
      const client = connect(server, { requestTimeoutMs: 100, ...options });
      const seen = watch(client.callTool('slow', {}, { ...callOptions, observe: 'events' }));
      at(90, () => progress(server, tokenOf(server), 1));
      at(100, () => expect(seen.error).toEqual(callError(100)));
    });
  });

  it('of the call that says true wins over the client that says false', () => {
    inVirtualTime(({ at }) => {
      const server = silent();
      const client = connect(server, { requestTimeoutMs: 100, resetOnProgress: false });
      const seen = watch(client.callTool('slow', {}, { resetOnProgress: true }));
      at(90, () => progress(server, tokenOf(server), 1));
      at(1_000, () => expect(seen.marks).toEqual([[190, callError(100)]]));
    });
  });

  it('of another call starts nothing anew', () => {
    inVirtualTime(({ at }) => {
      const server = silent();
      const client = connect(server, { requestTimeoutMs: 100 });
      const one = watch(client.callTool('one', {}, { progressToken: 'one' }));
      const two = watch(client.callTool('two', {}, { progressToken: 'two' }));
      at(60, () => progress(server, 'two', 1));
      at(1_000, () => {
        expect(one.marks).toEqual([[100, callError(100, 2)]]);
        expect(two.marks).toEqual([[160, callError(100, 3)]]);
      });
    });
  });
});

describe('the total cap', () => {
  it('is ten minutes', () => {
    inVirtualTime(({ at }) => {
      const server = silent();
      const seen = watch(connect(server).callTool('slow', {}, { resetOnProgress: true }));
      for (let ms = 50_000; ms < 700_000; ms += 50_000) at(ms, () => progress(server, tokenOf(server), ms));
      at(700_000, () => expect(seen.marks).toEqual([[600_000, callError(600_000)]]));
    });
  });

  it('is maxTotalMs of the client or of the call, and may be shorter than the timeout', () => {
    inVirtualTime(({ at }) => {
      const client = connect(silent(), { maxTotalMs: 50 });
      const [usual, own] = [watch(client.callTool('a')), watch(client.callTool('b', {}, { maxTotalMs: 20 }))];
      at(1_000, () => {
        expect(usual.marks).toEqual([[50, callError(50)]]);
        expect(own.marks).toEqual([[20, callError(20, 3)]]);
      });
    });
  });

  it('holds for a call that began to ask for reports only when the connection was there', () => {
    inVirtualTime(({ at }) => {
      const server = scriptedTransport({
        'server/discover': scriptedTransport.silence,
        'tools/call': scriptedTransport.silence,
      });
      const client = connect(server, { era: 'modern', requestTimeoutMs: 100, maxTotalMs: 350 });
      const seen = watch(client.callTool('slow'));
      const reports = watch(client.progress$);
      at(10, () =>
        server.push({ id: 1, result: { supportedVersions: ['2026-07-28'], capabilities: {}, resultType: 'complete' } }),
      );
      for (let ms = 90; ms < 1_000; ms += 90) at(ms, () => progress(server, tokenOf(server), ms));
      at(1_000, () => {
        expect(reports.values.length).toBeGreaterThan(1);
        expect(seen.marks).toEqual([[350, callError(350)]]);
      });
    });
  });
});

describe('waiting for the connection', () => {
  it('is part of the time of a call, whose timeout then has no id and is told to nobody', () => {
    inVirtualTime(({ at }) => {
      const { server, client } = unanswered();
      const seen = watch(client.callTool('slow', {}, { timeoutMs: 100 }));
      at(1_000, () => {
        expect(seen.marks).toEqual([[100, callError(100, undefined)]]);
        expect(seen.error).toHaveProperty('id', undefined);
        expect(methodsOf(server)).toEqual(['server/discover']);
      });
    });
  });

  it('ends for each who waits by their own clock, and goes on for the others', () => {
    inVirtualTime(({ at }) => {
      const { server, client } = unanswered();
      const short = watch(client.callTool('a', {}, { timeoutMs: 100 }));
      const long = watch(client.server({ timeoutMs: 0 }));
      at(500, () =>
        server.push({ id: 1, result: { supportedVersions: ['2026-07-28'], capabilities: {}, resultType: 'complete' } }),
      );
      at(501, () => {
        expect(short.marks).toEqual([[100, callError(100, undefined)]]);
        expect(long.marks.map(([ms]) => ms)).toEqual([500, 500]);
      });
    });
  });

  it.each([
    ['server()', (client: McpClient) => watch<unknown>(client.server())],
    ['server()', (client: McpClient) => watch<unknown>(client.era())],
    ['logging/setLevel', (client: McpClient) => watch<unknown>(client.setLogLevel('info'))],
  ])('is all that %s does, and what its TimeoutError is about', (method, call) => {
    inVirtualTime(({ at }) => {
      const seen = call(unanswered({ requestTimeoutMs: 100 }).client);
      at(100, () => expect(seen.marks).toEqual([[100, new TimeoutError(method, undefined, 100)]]));
    });
  });

  it('has no end of its own where no timeout is set', () => {
    inVirtualTime(({ at }) => {
      const { client } = unanswered({ requestTimeoutMs: 0 });
      const seen = watch(client.server());
      at(10_000_000, () => expect(seen.marks).toEqual([]));
    });
  });

  it('covers a wire that does not open', () => {
    inVirtualTime(({ at }) => {
      const client = connect(() => new Observable(() => NEVER.subscribe({ error: () => undefined })));
      const seen = watch(client.listTools({ timeoutMs: 100 }));
      at(100, () => expect(seen.marks).toEqual([[100, new TimeoutError('tools/list', undefined, 100)]]));
    });
  });

  it('and asking are one time for ping', () => {
    inVirtualTime(({ at }) => {
      const { server, client } = unanswered({ requestTimeoutMs: 100 });
      const seen = watch(client.ping());
      at(60, () =>
        server.push({ id: 1, result: { supportedVersions: ['2026-07-28'], capabilities: {}, resultType: 'complete' } }),
      );
      at(1_000, () => expect(seen.marks.map(([ms]) => ms)).toEqual([100]));
    });
  });
});
