import { describe, expect, it } from '@jest/globals';
import { NEVER, of } from 'rxjs';
import type { Outbound } from '../../src/jsonrpc/index.js';
import { Channels } from '../../src/session/index.js';
import { Serving } from '../../src/session/serving.js';

const serving = (): { readonly serving: Serving; readonly written: Outbound[] } => {
  const written: Outbound[] = [];
  const handlers = new Map([
    ['roots/list', () => of({ roots: [] })],
    ['elicitation/create', () => NEVER],
  ]);
  const write = (message: Outbound): void => {
    written.push(message);
  };
  return { serving: new Serving(handlers, { write }, new Channels({})), written };
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
