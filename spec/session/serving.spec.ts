import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { NEVER, of } from 'rxjs';
import type { Outbound } from '../../src/jsonrpc/index.js';
import { Channels, type Warning } from '../../src/session/index.js';
import { responders, Serving } from '../../src/session/serving.js';
import { unloaded } from '../support/unloaded-part.js';

const serving = (): { readonly serving: Serving; readonly written: Outbound[]; readonly warnings: Warning[] } => {
  const written: Outbound[] = [];
  const warnings: Warning[] = [];
  const handlers = new Map([
    ['roots/list', () => of({ roots: [] })],
    ['elicitation/create', () => NEVER],
  ]);
  const write = (message: Outbound, done?: () => void): void => {
    written.push(message);
    done?.();
  };
  const channels = new Channels({ onWarn: (warning) => warnings.push(warning) });
  return { serving: new Serving(handlers, { write }, channels), written, warnings };
};

const request = (id: number, method: string) => ({ jsonrpc: '2.0', id, method }) as const;

describe('Serving', () => {
  it('hands requests to what answers them, in their order', () => {
    const { serving: all, written } = serving();
    all.serve(request(1, 'roots/list'));
    all.serve(request(2, 'ping'));
    expect(written).toEqual([
      { jsonrpc: '2.0', id: 1, result: { roots: [] } },
      { jsonrpc: '2.0', id: 2, result: {} },
    ]);
  });

  it('withdraws what was asked, and nothing where nothing was', () => {
    const { serving: all, written } = serving();
    all.withdraw(1);
    all.serve(request(1, 'elicitation/create'));
    all.withdraw(1);
    // The id is free again, which it would not be while it is answered.
    all.serve(request(1, 'ping'));
    expect(written).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it('answers nothing of a modern server', () => {
    const { serving: all, written } = serving();
    all.answers = false;
    all.serve(request(1, 'ping'));
    expect(written).toEqual([]);
  });

  it('answers nothing after its end', () => {
    const { serving: all, written } = serving();
    all.serve(request(1, 'elicitation/create'));
    all.close();
    expect(written).toEqual([]);
  });
});

describe('Serving, while what answers is loaded', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('keeps what comes meanwhile, and answers it in its order', async () => {
    const { arrive } = unloaded(responders);
    const { serving: all, written } = serving();
    all.serve(request(1, 'roots/list'));
    all.serve(request(2, 'elicitation/create'));
    all.withdraw(2);
    all.serve(request(2, 'ping'));
    expect(written).toEqual([]);
    await arrive();
    all.serve(request(3, 'ping'));
    expect(written.map((message) => ('id' in message ? message.id : undefined))).toEqual([1, 2, 3]);
  });

  it('loads nothing for the withdrawal of what was never asked', () => {
    unloaded(responders);
    serving().serving.withdraw(1);
    expect(responders.use).not.toHaveBeenCalled();
  });

  it('keeps a thousand and no more', async () => {
    const { arrive } = unloaded(responders);
    const { serving: all, written, warnings } = serving();
    for (let id = 1; id <= 1_500; id += 1) all.serve(request(id, 'ping'));
    await arrive();
    expect(written).toHaveLength(1_000);
    // It counts them as any others: a hundred are answered, the rest refused.
    expect(warnings).toMatchObject([{ kind: 'too-many-requests' }]);
  });

  it('goes by what is known of the server once it is there', async () => {
    const { arrive } = unloaded(responders);
    const { serving: all, written, warnings } = serving();
    all.serve(request(1, 'ping'));
    all.answers = false;
    await arrive();
    expect(written).toEqual([]);
    expect(warnings).toMatchObject([{ kind: 'unexpected-request' }]);
  });

  it('answers nothing where it was closed meanwhile', async () => {
    const { arrive } = unloaded(responders);
    const { serving: all, written } = serving();
    all.serve(request(1, 'ping'));
    all.close();
    await arrive();
    expect(written).toEqual([]);
  });

  it('warns where it cannot be loaded, drops what waited, and tries again with the next', async () => {
    const { fail } = unloaded(responders);
    const { serving: all, written, warnings } = serving();
    all.serve(request(1, 'ping'));
    await fail(new Error('offline'));
    expect(warnings).toMatchObject([
      { kind: 'housekeeping', message: expect.stringContaining('a request of the server is not answered') },
    ]);
    jest.restoreAllMocks();
    all.serve(request(2, 'ping'));
    expect(written).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
  });
});
