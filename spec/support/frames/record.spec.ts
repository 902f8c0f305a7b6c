import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EMPTY, Observable, Subject, throwError } from 'rxjs';
import type { Inbound, Outbound } from '../../../src/jsonrpc/index.js';
import { openRecord } from './record.js';
import { readRecords } from './tally.js';
import { unrecorded } from './unrecorded.js';

const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } } as const;
const ping = (id: number | string): Outbound => ({ jsonrpc: '2.0', id, method: 'ping' });

describe('the record of frames', () => {
  let folder: string;
  let record: ReturnType<typeof openRecord>;
  // A class of its own for each test: watching changes the prototype.
  const transportClass = () =>
    class {
      alive = true;
      readonly written: Outbound[] = [];
      readonly arrivals = new Subject<Inbound>();
      outcome$: Observable<never> = EMPTY;

      get inbound$(): Observable<Inbound> {
        return this.arrivals.asObservable();
      }

      send(message: Outbound): Observable<never> {
        return new Observable((subscriber) => {
          this.written.push(message);
          return this.outcome$.subscribe(subscriber);
        });
      }
    };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rx-mcp-record-'));
    record = openRecord(folder, 'a.spec.ts');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const watched = () => {
    const Fake = transportClass();
    record.watch('Fake', Fake.prototype);
    return new Fake();
  };

  it('keeps a frame as it is written, under the class and the spec that wrote it', () => {
    const transport = watched();
    transport.send(initialize).subscribe();
    record.flush();
    expect(transport.written).toEqual([initialize]);
    expect(readRecords(folder)).toEqual([
      {
        spec: 'a.spec.ts',
        via: 'Fake',
        attribution: { era: 'legacy', revision: '2025-11-25' },
        frame: initialize,
        count: 1,
      },
    ]);
  });

  it('keeps nothing while nobody subscribes, and a frame again for each subscriber', () => {
    const transport = watched();
    void transport.send(initialize);
    const sent$ = transport.send(initialize);
    sent$.subscribe();
    sent$.subscribe();
    record.flush();
    expect(readRecords(folder).map(({ count }) => count)).toEqual([2]);
  });

  it('counts frames that differ in an ordinary id alone as one, and no others', () => {
    const transport = watched();
    for (const id of [1, 2, 3, 'x', 0, -1, 1.5]) transport.send(ping(id)).subscribe();
    record.flush();
    expect(readRecords(folder).map(({ frame, count }) => [(frame as { id: unknown }).id, count])).toEqual([
      [1, 3],
      ['x', 1],
      [0, 1],
      [-1, 1],
      [1.5, 1],
    ]);
  });

  it('keeps nothing of a wire that has ended, of one that is exempt, nor of a marked frame', () => {
    const [dead, exempt, marked] = [watched(), unrecorded(watched()), watched()];
    dead.alive = false;
    dead.send(initialize).subscribe();
    exempt.send(initialize).subscribe();
    marked.send({ jsonrpc: '2.0', method: 'x-test/hello' }).subscribe();
    record.flush();
    expect(readRecords(folder)).toEqual([]);
  });

  it('sees the version a server answers where inbound$ is a getter, and changes nothing of what comes in', () => {
    const transport = watched();
    const seen: Inbound[] = [];
    transport.inbound$.subscribe((message) => seen.push(message));
    transport.send(initialize).subscribe();
    const answer = { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2024-11-05' } } as const;
    transport.arrivals.next(answer);
    transport.send(ping(2)).subscribe();
    record.flush();
    expect(seen).toEqual([answer]);
    expect(readRecords(folder).map(({ attribution }) => attribution.revision)).toEqual(['2025-11-25', '2024-11-05']);
  });

  it('passes on how a send ends', () => {
    const transport = watched();
    transport.outcome$ = throwError(() => new Error('gone'));
    const ends: unknown[] = [];
    transport
      .send(initialize)
      .subscribe({ error: (reason: unknown) => ends.push(reason), complete: () => ends.push('done') });
    transport.outcome$ = EMPTY;
    transport
      .send(initialize)
      .subscribe({ error: (reason: unknown) => ends.push(reason), complete: () => ends.push('done') });
    expect(ends).toEqual([new Error('gone'), 'done']);
  });

  it('leaves what cannot be written as JSON to the transport', () => {
    const transport = watched();
    const params: Record<string, unknown> = { protocolVersion: '2025-11-25' };
    params['self'] = params;
    let completed = false;
    transport.send({ ...initialize, params }).subscribe({ complete: () => (completed = true) });
    record.flush();
    expect(completed).toBe(true);
    expect(readRecords(folder)).toEqual([]);
  });

  it('loses nothing that is written after the flush', () => {
    const transport = watched();
    record.flush();
    transport.send(initialize).subscribe();
    expect(readRecords(folder)).toHaveLength(1);
  });

  it('writes a record out before it grows large', () => {
    const transport = watched();
    for (let at = 0; at <= 1_000; at += 1) transport.send(ping(`id ${at}`)).subscribe();
    expect(readRecords(folder)).toHaveLength(1_001);
  });
});
